"""The ground floor: plain values and what every room needs of them. Knows nothing above it."""
