"""What a run brought: tables, copies, incidents, exports."""
