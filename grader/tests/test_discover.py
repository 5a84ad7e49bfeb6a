"""lab.toml: what is accepted, and the messages for wrong ones."""

import pytest

from grader.handin.discover import choose_labs, discover_labs
from grader.model.errors import UsageError
from grader.tests.planted import LAB_TOML, PlantedCourse

GOOD = LAB_TOML.format(title="Lab one", number=1, stem="one")


def test_labs_come_in_order_of_their_number(planted: PlantedCourse) -> None:
    planted.lab(10, "ten")
    assert [lab.number for lab in discover_labs(planted.course)] == [1, 2, 10]


def test_a_lab_as_it_is_read(planted: PlantedCourse) -> None:
    lab = discover_labs(planted.course)[0]
    assert (lab.title, lab.source, lab.stem, lab.max_score) == ("Lab one", "one.cu", "one", 100)
    assert [(part.name, part.points) for part in lab.parts] == [
        ("up", {"correct": 30, "clean": 15, "efficient": 15}),
        ("down", {"correct": 40, "clean": 0, "efficient": 0}),
    ]


@pytest.mark.parametrize(
    ("old", "new", "said"),
    [
        ("correct = 40", "correct = 41", "the parts' points add up to 101, not 100\n     60  up\n     41  down"),
        ("correct = 40", 'correct = "40"', "part down: correct must be a whole number from 0 up, not '40'"),
        ("correct = 40", "correct = -1", "part down: correct must be a whole number from 0 up, not -1"),
        ("correct = 40", "correct = true", "part down: correct must be a whole number from 0 up, not True"),
        ("correct = 40", "clean = 40", "part down: correct = 0; a part must be worth something"),
        ("correct = 40", "corect = 40", "part 2 has an unknown entry 'corect'; known are clean, correct, efficient"),
        ('name = "down"', 'name = "up"', "part 'up' is listed 2 times"),
        ('name = "down"', 'name = "up down"', "name = 'up down' is not the name of a C function"),
        ("number = 1", "number = 0", "the lab: number must be a whole number from 1 up, not 0"),
        ("number = 1", "", "the lab: number must be a whole number from 1 up, not None"),
        ("number = 1", "number = 2", "number = 2 is also that of 1-one; each lab has its own"),
        ('source = "one.cu"', 'source = "two.cu"', "source = 'two.cu' is also that of 1-one; each lab has its own"),
        ('source = "one.cu"', 'source = "../one.cu"', "source = '../one.cu' is not a file name"),
        ('title = "Lab one"', "title = 1", "the lab: title must be a text in quotes, not 1"),
        ('title = "Lab one"', "title = ", "is not valid TOML"),
        ("correct = 40", 'correct = 40\nstock = ["scans"]', "stock = ['scans'] is no list of scan, reduce, sort"),
        ("correct = 40", 'correct = 40\nstock = "scan"', "part down: stock = 'scan' is no list of scan, reduce, sort"),
        ("number = 1", 'number = 1\nmonoids = "sum"', "the lab: monoids = 'sum' is no list of monoids such as"),
        ("number = 1", 'number = 1\ntelling = ["Sum"]', "the lab: telling = ['Sum'] is no list of monoids"),
        ("number = 1", "number = 1\nproved = false", "the lab: proved is true or left out, not False"),
        ("correct = 40", "correct = 40\ntimed = 1", "part down: timed is true or left out, not 1"),
        ("number = 1", "number = 1\nhandout = 2", "the lab has an unknown entry 'handout'"),
    ],
)
def test_a_wrong_lab_file(planted: PlantedCourse, old: str, new: str, said: str) -> None:
    assert GOOD.count(old) == 1
    planted.write("labs/1-one/lab.toml", GOOD.replace(old, new))
    with pytest.raises(UsageError) as caught:
        discover_labs(planted.course)
    assert said in str(caught.value)
    assert "lab.toml" in str(caught.value)


def test_a_lab_without_parts(planted: PlantedCourse) -> None:
    planted.write("labs/1-one/lab.toml", GOOD.split("[[part]]")[0])
    with pytest.raises(UsageError, match=r"there is no \[\[part\]\]"):
        discover_labs(planted.course)


def test_a_tree_without_labs(planted: PlantedCourse) -> None:
    for path in planted.course.labs.glob("*/lab.toml"):
        path.unlink()
    with pytest.raises(UsageError, match=r"no labs: there is no .*labs/\*/lab\.toml"):
        discover_labs(planted.course)


def test_a_number_that_no_lab_has(planted: PlantedCourse) -> None:
    with pytest.raises(UsageError, match=r"there is no lab 9; the labs are\n    1  Lab one\n    2  Lab two"):
        choose_labs(discover_labs(planted.course), [1, 9])
