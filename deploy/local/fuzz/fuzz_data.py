"""What `npm run fuzz` fills its requests with: ids of objects that exist, dates that can be booked, and pages that follow."""

import datetime
import json
import re
import zlib

ID = re.compile(r"\b([a-z]+)_[0-7][0-9a-hjkmnp-tv-z]{25}\b")
FEED = re.compile(r"/(instructors|members)/(\w+)/calendar\.ics\?token=([\w-]+)")
DELIVERY = re.compile(r'"webhook_delivery","id":"(\w+)","webhook_endpoint_id":"(\w+)"')
SKILL = re.compile(r'"code":"([a-z0-9_]+)","name"')
# Of each kind so many ids are kept: those of the demo data, and the newest.
MOST = 40
FIRST = 10

# Values that are registered somewhere, which no schema lists.
REGISTERED = {
    "timezone": "America/Phoenix",
    "currency": "EUR",
    "phone": "+16025550142",
    "processor_payment_method_id": "pm_card_visa",
    "date_of_birth": "2017-05-04",
}
DAY = datetime.timedelta(days=1)


def _number(value):
    """The same for the same value, so that a case that is repeated makes the same request."""
    return zlib.crc32(repr(value).encode())


def _stays(value):
    """Whether a value is sent as it was generated, to be rejected: one of four."""
    return _number(value) % 4 == 0


def _day(ahead):
    return datetime.datetime.now(datetime.timezone.utc).replace(hour=0, minute=0, second=0, microsecond=0) + ahead * DAY


def _text(instant):
    return instant.strftime("%Y-%m-%dT%H:%M:%SZ")


def _ids_of(value):
    """Ids of the objects of an answer and of lists in them. An event's object may not exist any more."""
    if isinstance(value, list):
        for item in value:
            yield from _ids_of(item)
    elif isinstance(value, dict):
        if ID.fullmatch(str(value.get("id"))):
            yield value["id"]
        for member in value.values():
            if isinstance(member, list):
                yield from _ids_of(member)


class KnownData:
    """What answers have contained, and requests that are filled with it."""

    def __init__(self, account):
        self.account = account
        self.ids = {}
        self.skills = []
        self.feeds = {}
        # The endpoint of each delivery.
        self.deliveries = {}
        self.pages = {}

    def learn(self, text):
        """Keeps the ids, skills and feeds of an answer."""
        answer = json.loads(text)
        for known in _ids_of(answer.get("data", answer)):
            ids = self.ids.setdefault(known.split("_")[0], [])
            if known not in ids:
                ids.append(known)
            if len(ids) > MOST:
                del ids[FIRST]
        for delivery, endpoint in DELIVERY.findall(text):
            self.deliveries[delivery] = endpoint
        for kind, owner, token in FEED.findall(text):
            self.feeds[kind] = (owner, token)
        for code in SKILL.findall(text):
            if code not in self.skills:
                self.skills.append(code)

    def learn_page(self, path, query, answer):
        """Keeps how the next page of a list is requested: a cursor belongs to the filters of its list."""
        pagination = answer.get("pagination") if isinstance(answer, dict) else None
        if pagination and pagination["next_cursor"]:
            others = {name: value for name, value in query.items() if name not in ("cursor", "offset")}
            self.pages[path] = {**others, "cursor": pagination["next_cursor"]}

    def forget(self, value):
        """Drops the id of what does not exist any more."""
        match = ID.fullmatch(str(value))
        if match and value in self.ids.get(match[1], []):
            self.ids[match[1]].remove(value)

    def forget_field(self, body, field):
        """Drops the id in a field of a body, as an error names it: `member_ids.0`."""
        for name in field.split("."):
            if isinstance(body, list):
                body = body[int(name)] if name.isdigit() and int(name) < len(body) else None
            else:
                body = body.get(name) if isinstance(body, dict) else None
        self.forget(body)

    def fill_path(self, parameters, method):
        """Puts ids that exist in place of generated ones. What is deleted is the newest, so that the demo data stay."""
        for name, value in (parameters or {}).items():
            match = ID.fullmatch(str(value))
            ids = self.ids.get(match[1], []) if match and name != "account_id" else []
            if value in ids or not ids or _stays(value):
                continue
            if method != "DELETE":
                parameters[name] = ids[_number(value) % len(ids)]
            elif len(ids) > FIRST:
                parameters[name] = ids[-1]
        delivery = (parameters or {}).get("webhook_delivery_id")
        if delivery in self.deliveries:
            parameters["webhook_endpoint_id"] = self.deliveries[delivery]

    def fill_feed(self, path, parameters, query):
        """Names a calendar feed with its token."""
        kind = path.split("/")[1]
        if path.endswith("calendar.ics") and kind in self.feeds and not _stays(query):
            (name,) = parameters
            parameters[name], query["token"] = self.feeds[kind]

    def fill_query(self, path, query):
        """Fills the parameters of a query, which may become the next page of a list."""
        cursor = query.get("cursor")
        if cursor is not None and not _stays(cursor) and cursor not in [page["cursor"] for page in self.pages.values()]:
            del query["cursor"]
            if path in self.pages:
                query.clear()
                query.update(self.pages[path])
                return
        if "cursor" in query:
            query.pop("offset", None)
        self._fill_object(query)

    def fill_body(self, body):
        """Fills the members of a body."""
        if not isinstance(body, dict) or _stays(body):
            return
        if "member_ids" in body and "sessions" not in body and "recurrence" not in body:
            body["sessions"] = [{"date": _text(_day(1)), "duration_minutes": 30}]
        if "sessions" in body and "recurrence" in body:
            del body["sessions" if _number(body) % 2 else "recurrence"]
        if len(body) > 1:
            # What another request has changed meanwhile, and what a school has only.
            body.pop("version", None)
            if self.account == "family":
                body.pop("policies", None)
        # Nothing can be booked with an instructor who is inactive.
        if body.get("status") == "inactive":
            body["status"] = "active"
        self._fill_object(body)

    def _filled(self, name, value):
        if isinstance(value, dict):
            self._fill_object(value)
            return value
        if isinstance(value, list):
            items = [self._filled(name, item) for item in value]
            return list(dict.fromkeys(items)) if all(isinstance(item, str) for item in items) else items
        match = ID.fullmatch(value) if isinstance(value, str) else None
        ids = self.ids.get(match[1], []) if match else []
        if match:
            # What is new can be changed: a booking is paid and cancelled once.
            choice = ids[-5:] if name == "booking_id" else ids
            return value if value in ids or not ids else choice[_number(value) % len(choice)]
        if name == "code" and self.skills:
            return self.skills[_number(value) % len(self.skills)]
        if name == "amount_cents" and isinstance(value, int):
            return 1 + value % 500
        return REGISTERED[name] if name in REGISTERED and isinstance(value, str) else value

    def _fill_object(self, members):
        for name, value in list(members.items()):
            if name != "metadata":
                members[name] = self._filled(name, value)
        self._fill_location(members)
        self._fill_dates(members)

    def _fill_location(self, members):
        location = members.get("location")
        if not isinstance(location, dict) or "type" not in location:
            return
        if location["type"] != "pool":
            location.pop("pool_id", None)
        elif not location.get("pool_id"):
            del members["location"]

    def _fill_dates(self, members):
        """Lessons are by day in the weeks to come; ranges begin before they end, and are of a few days."""
        seed = _number(sorted(members))
        for index, each in enumerate(members.get("sessions") if isinstance(members.get("sessions"), list) else []):
            if isinstance(each, dict) and isinstance(each.get("date"), str):
                start = _day(1 + index + _number(each) % 28) + datetime.timedelta(minutes=420 + 30 * (seed % 16))
                each["date"] = _text(start)
        date = members.get("date")
        if isinstance(date, str) and "T" in date:
            number = _number(members)
            start = _day(1 + number % 40) + datetime.timedelta(minutes=420 + 30 * (number % 18))
            members["date"] = _text(start)
            if isinstance(members.get("end_date"), str) and isinstance(members.get("duration_minutes"), int):
                members["end_date"] = _text(start + datetime.timedelta(minutes=members["duration_minutes"]))
        if isinstance(members.get("start_local"), str):
            members["start_local"] = _day(3 + seed % 20).strftime("%Y-%m-%dT16:00")
            members.pop("except", None)
            if "count" in members:
                members.pop("until", None)
            elif "until" in members:
                members["until"] = _day(60).strftime("%Y-%m-%d")
        for name in ("date", "updated"):
            self._fill_range(members, f"{name}_from", f"{name}_to", _number(members))

    def _fill_range(self, members, first, last, number):
        start = _day(1 + number % 9)
        if isinstance(members.get(first), str):
            members[first] = _text(start)
        if isinstance(members.get(last), str):
            members[last] = _text(start + (1 + number % 6) * DAY)
