"""What runs brought: tables, search, concordance, exports, comparison."""
