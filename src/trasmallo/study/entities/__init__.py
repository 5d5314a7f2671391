"""Names in texts: who, where and what is named, and dates, quantities, money, addresses with their values."""
