"""Believable people of the demo firm; all addresses end in `.example`, so no mail goes astray."""

import random
from dataclasses import dataclass

FIRST = (
    "Aarav", "Aditi", "Advait", "Akshay", "Amrita", "Anand", "Anjali", "Arjun", "Bhavna", "Chetan",
    "Deepa", "Devika", "Farhan", "Gauri", "Harish", "Ishita", "Jaya", "Kabir", "Kavya", "Kiran",
    "Lakshmi", "Madhav", "Meera", "Mohan", "Nandini", "Neha", "Nikhil", "Omkar", "Pallavi", "Pranav",
    "Priya", "Rahul", "Rekha", "Rohan", "Sakshi", "Sameer", "Shalini", "Siddharth", "Sneha", "Tanvi",
    "Thomas", "Uma", "Varun", "Vidya", "Vikram", "Yamini", "Zoya", "Ritwik",
)  # fmt: skip
LAST = (
    "Agarwal", "Bhat", "Chatterjee", "Deshpande", "D'Souza", "Fernandes", "Gokhale", "Gupta", "Iyer",
    "Jain", "Joshi", "Kapoor", "Khan", "Kulkarni", "Malhotra", "Mehta", "Menon", "Mukherjee", "Nair",
    "Patel", "Pillai", "Rao", "Reddy", "Sethi", "Shah", "Sharma", "Singh", "Srinivasan", "Thakur",
    "Varghese",
)  # fmt: skip
STREETS = (
    "Prabhat Road, Pune 411004", "Linking Road, Mumbai 400050", "Residency Road, Bengaluru 560025",
    "C G Road, Ahmedabad 380009", "Anna Salai, Chennai 600002", "Park Street, Kolkata 700016",
    "Banjara Hills, Hyderabad 500034", "Civil Lines, Jaipur 302006", "M G Road, Kochi 682016",
    "Model Town, Delhi 110009",
)  # fmt: skip


@dataclass(frozen=True, slots=True)
class Someone:
    name: str
    email: str
    contact_number: str
    address: str
    birth_year: int


def people(chance: random.Random, count: int) -> list[Someone]:
    """`count` people, no two with the same name."""
    firsts = chance.sample(FIRST, min(count, len(FIRST)))
    made = []
    for place in range(count):
        first, last = firsts[place % len(firsts)], chance.choice(LAST)
        mark = "" if place < len(firsts) else str(place)
        local = f"{first}.{last}".lower().replace("'", "") + mark
        made.append(
            Someone(
                f"{first} {last}",
                f"{local}@clients.example",
                f"9{chance.randrange(10**9):09d}",
                f"{chance.randrange(1, 90)} {chance.choice(STREETS)}",
                chance.randrange(1955, 2000),
            )
        )
    return made
