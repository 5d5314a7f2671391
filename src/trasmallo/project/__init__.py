"""The hall: walks documents through the rooms, and answers for them afterwards."""
