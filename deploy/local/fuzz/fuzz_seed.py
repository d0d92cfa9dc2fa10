"""Objects that `npm run fuzz` makes before a run, so that there is one of each kind to read, change and end."""

import datetime
import json
import os
import time
import urllib.error
import urllib.request

LESSON_MINUTES = 30
# A clock is advanced in the background.
CLOCK_SECONDS = 60


class Client:
    """Sends requests with the key of the run, and lets the known data learn from their answers."""

    def __init__(self, base_url, key, learn):
        self.base_url = base_url
        self.headers = {"Authorization": f"Bearer {key}", "Content-Type": "application/json"}
        self.learn = learn

    def send(self, path, body=None):
        """The data of an answer; None for a conflict, such as a time that is taken or a limit that an earlier run has reached."""
        data = None if body is None else json.dumps(body).encode()
        request = urllib.request.Request(self.base_url + path, data=data, headers=self.headers)
        try:
            with urllib.request.urlopen(request, timeout=60) as response:
                text = response.read().decode()
        except urllib.error.HTTPError as error:
            if error.code == 409:
                return None
            raise RuntimeError(f"{path} is answered {error.code}: {error.read().decode()}") from error
        self.learn(text)
        answer = json.loads(text)
        return answer.get("data", answer)


def seed(client, family):
    """Has a family make lessons, bookings and payments, and reads what the account of the run sees and has."""
    _make_bookings(family)
    endpoint = client.send("/webhook-endpoints", {"url": "https://93.184.215.14/hooks"})
    if endpoint:
        client.send(f"/webhook-endpoints/{endpoint['id']}/ping", {})
    account = _account_of(client)
    lists = ("/instructors", "/pools", "/members", "/sessions", "/bookings", "/payments")
    for path in (f"/accounts/{account['id']}/export", *lists):
        client.send(path)
    if account["kind"] == "school":
        client.send(f"/instructors/{_teacher(client)['id']}/calendar-token", {})


def seed_begun_lessons(client, family):
    """Has a family book its next lessons, advances its clock to the last of them, and reads them: they can be completed and reviewed."""
    teacher, member = _teacher(family), _new_member(family)
    lessons = _lessons(teacher, member, _slots(family, teacher, 0))
    bookings = [booking for booking in (family.send("/bookings", lesson) for lesson in lessons) if booking]
    last = max(session["date"] for booking in bookings for session in booking["sessions"])
    begun = datetime.datetime.fromisoformat(last) + datetime.timedelta(minutes=1)
    family.send("/sandbox/clock", {"advance_to": begun.strftime("%Y-%m-%dT%H:%M:%SZ")})
    _wait_for_clock(family)
    client.send("/sessions?ids=" + ",".join(each for booking in bookings for each in booking["session_ids"]))
    client.send(f"/instructors?ids={teacher['id']}")


def _wait_for_clock(client):
    end = time.monotonic() + CLOCK_SECONDS
    while client.send("/sandbox/clock")["advancing"]:
        if time.monotonic() > end:
            raise RuntimeError(f"The clock has not been advanced within {CLOCK_SECONDS} s.")
        time.sleep(0.2)


def _account_of(client):
    return client.send("/me")["account"]


def _teacher(client):
    """An instructor of the demo school. Those of other schools, whose demo data have the same names, are listed as well."""
    found = client.send("/instructors?search=greta&limit=100")
    return next(each for each in found if each["account_id"] == os.environ["FUZZ_SCHOOL_ID"])


def _new_member(family):
    members = f"/accounts/{_account_of(family)['id']}/members"
    return family.send(members, {"name": "Ana Ruiz", "date_of_birth": "2017-05-04"})


def _slots(family, teacher, offset):
    """Free times that do not overlap."""
    query = f"instructor_ids={teacher['id']}&duration_minutes={LESSON_MINUTES}&limit=8&offset={offset}"
    return family.send(f"/availability?{query}")[::2]


def _lessons(teacher, member, slots):
    """Bodies of bookings, one for each time."""
    return [
        {
            "instructor_id": teacher["id"],
            "member_ids": [member["id"]],
            "sessions": [{"date": slot["date"], "duration_minutes": LESSON_MINUTES}],
        }
        for slot in slots
    ]


def _make_bookings(family):
    teacher, member = _teacher(family), _new_member(family)
    methods = f"/accounts/{_account_of(family)['id']}/payment-methods"
    card = family.send(methods, {"processor_payment_method_id": "pm_card_visa"})
    slots = _slots(family, teacher, 30)
    *booked, held = _lessons(teacher, member, slots)
    bookings = [booking for booking in (family.send("/bookings", lesson) for lesson in booked) if booking]
    for booking, capture in zip(bookings if card else [], (True, False, False)):
        amount = {"amount_cents": booking["amount_cents"], "currency": booking["currency"]}
        payment = {"booking_id": booking["id"], "payment_method_id": card["id"], "capture": capture, **amount}
        family.send("/payments", payment)
    family.send("/holds", held)
    family.send(
        "/waitlist",
        {
            "instructor_id": teacher["id"],
            "member_id": member["id"],
            "date_from": slots[0]["date"],
            "date_to": slots[-1]["end_date"],
            "duration_minutes": LESSON_MINUTES,
        },
    )
    family.send(f"/members/{member['id']}/calendar-token", {})
