"""Makes the archives for students and instructors."""
