"""Makes the archives that students and instructors get."""
