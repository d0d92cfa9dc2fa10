"""Objects that `npm run fuzz` makes before a run, so that there is one of each kind to read, change and end."""

import json
import urllib.error
import urllib.request

LESSON_MINUTES = 30


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


def seed(client, kind, account_id):
    """Reads what the account has and sees, and makes what only a family can."""
    for path in (f"/accounts/{account_id}/export", "/instructors", "/pools", "/members", "/sessions"):
        client.send(path)
    client.send("/webhook-endpoints", {"url": "https://93.184.215.14/hooks"})
    if kind == "family":
        _seed_family(client, f"/accounts/{account_id}")


def _seed_family(client, account):
    (teacher, *_) = client.send("/instructors?search=greta")
    member = client.send(f"{account}/members", {"name": "Ana Ruiz", "date_of_birth": "2017-05-04"})
    card = client.send(f"{account}/payment-methods", {"processor_payment_method_id": "pm_card_visa"})
    query = f"instructor_ids={teacher['id']}&duration_minutes={LESSON_MINUTES}&limit=8&offset=30"
    slots = client.send(f"/availability?{query}")
    lessons = [
        {
            "instructor_id": teacher["id"],
            "member_ids": [member["id"]],
            "sessions": [{"date": slot["date"], "duration_minutes": LESSON_MINUTES}],
        }
        for slot in slots
    ]
    bookings = [client.send("/bookings", lesson) for lesson in lessons[::2]]
    for booking in [each for each in bookings if each and card][:2]:
        amount = {"amount_cents": booking["amount_cents"], "currency": booking["currency"]}
        client.send("/payments", {"booking_id": booking["id"], "payment_method_id": card["id"], **amount})
    client.send("/holds", lessons[-1])
    client.send(
        "/waitlist",
        {
            "instructor_id": teacher["id"],
            "member_id": member["id"],
            "date_from": slots[0]["date"],
            "date_to": slots[-1]["end_date"],
            "duration_minutes": LESSON_MINUTES,
        },
    )
    client.send(f"/members/{member['id']}/calendar-token", {})
