"""Hooks of `npm run fuzz` (fuzz.ts): a check of what is rejected, the data of requests, and the protection of the run's own key."""

import atexit
import json
import os
import re
import sys

import schemathesis

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
from fuzz_data import KnownData  # noqa: E402
from fuzz_seed import Client, seed, seed_begun_lessons  # noqa: E402

OWN_KEY = os.environ["FUZZ_KEY_ID"]
# The form of an id of a key, of none that exists.
OTHER_KEY = "key_01k5zr8q3ve9mbf6w2n0x4ht7c"

# What no JSON Schema can say of a value, by the reason of its rejection; the fields to which it applies, as regular expressions.
BEYOND_SCHEMA = {
    # Rules between fields, or between the items of a list.
    "mutually_exclusive": r"cursor|location\.pool_id|recurrence(\.until)?|availability_schedule\.overrides\.\d+\.windows",
    "required": r"sessions|recurrence\.count|location\.pool_id",
    "range_reversed": r".*(end|_to|expires_at)",
    "range_too_long": r"date_to",
    "overlapping_sessions": r"sessions",
    "duplicate_value": r"skills\.\d+\.code",
    # What a text of JSON contains.
    "invalid_type": r"metadata(\..*)?",
    "invalid_json": r"location",
    # What exists, and may be named by this key.
    "not_found": r".*(_id|_ids|_ids\.\d+)",
    "inactive_instructor": r"instructor_id",
    "group_too_large": r"member_ids",
    "members_of_several_accounts": r"member_ids",
    "credit_of_other_school": r"makeup_credit_id",
    "invalid_payment_method": r"processor_payment_method_id",
    "invalid_cursor": r"cursor",
    "invalid_signature": r"Stripe-Signature",
    # Which placeholders a URL has.
    "invalid_format": r"policies\.offer_url_template",
    "policies_of_school_only": r"policies",
    "unknown_timezone": r".*timezone",
    # The calendar, the clock, and numbers that depend on what is stored.
    "invalid_date": r"recurrence\.start_local",
    "in_past": r".*",
    "not_in_past": r"date_of_birth",
    "out_of_range": r".*(date|sequence|date_of_birth|advance_to|expires_at|ip_allowlist|start_local|sessions.*)",
    "amount_exceeds_due": r"amount_cents",
    "amount_exceeds_refundable": r"amount_cents",
    # Registries: currencies, numbering plans, addresses, the skills of a level.
    "invalid_value": r"currency|end_date|skills\.\d+\.code",
    "currency_mismatch": r".*",
    "invalid_phone": r".*phone",
    "forbidden_target": r"url",
    "credentials_in_url": r"url",
    # Any number or text may contain a card number.
    "card_number": r".*",
}


def _rejections(response):
    """Pairs of field and reason."""
    details = response.json()["error"]["details"]
    errors = details.get("errors") or [details]
    return [(error.get("field", ""), error["reason"]) for error in errors]


@schemathesis.check
def valid_data_accepted(ctx, response, case):
    """Data that fit the schema are accepted, or rejected for something that no schema can say."""
    meta = case.meta
    if meta is None or not meta.generation.mode.is_positive or response.status_code != 400:
        return
    for field, reason in _rejections(response):
        if not re.fullmatch(BEYOND_SCHEMA.get(reason, "(?!)"), field):
            raise AssertionError(f"The schema allows what is rejected as {reason} at {field}")


DATA = KnownData(os.environ["FUZZ_ACCOUNT"])


def _seed():
    base_url = os.environ["FUZZ_BASE_URL"]
    own = Client(base_url, os.environ["FUZZ_KEY"], DATA.learn)
    family = own if DATA.account == "family" else Client(base_url, os.environ["FUZZ_FAMILY_KEY"], lambda answer: None)
    seed_run = seed_begun_lessons if "FUZZ_BEGUN" in os.environ else seed
    seed_run(own, family)


_seed()

# The statuses that each operation has answered: `fuzz.ts` reads them.
ANSWERED = {}


@atexit.register
def _write_statuses():
    file = os.environ["FUZZ_STATUSES"]
    with open(file, "a", encoding="utf-8") as out:
        out.write(json.dumps({label: sorted(statuses) for label, statuses in ANSWERED.items()}) + "\n")


@schemathesis.hook
def before_call(ctx, case, kwargs):
    """Fills requests with data that exist, so that more is tested than their rejection. Another key takes the place of the run's own,
    which a request could end, and links follow no dry run: what it answers does not exist."""
    parameters = case.path_parameters
    DATA.fill_path(parameters, case.method)
    if case.meta is not None and case.meta.generation.mode.is_positive:
        if isinstance(case.query, dict):
            DATA.fill_query(case.formatted_path, case.query)
            DATA.fill_feed(case.path, parameters, case.query)
        DATA.fill_body(case.body)
    if parameters and parameters.get("key_id") == OWN_KEY and case.method != "GET":
        parameters["key_id"] = OTHER_KEY
    meta = case.meta
    if meta is not None and meta.phase.name == "stateful" and (case.query or {}).get("dry_run") in (True, "true"):
        del case.query["dry_run"]


@schemathesis.hook
def after_call(ctx, case, response):
    """Learns from an answer what exists."""
    ANSWERED.setdefault(case.operation.label, set()).add(response.status_code)
    # Below an object something else may be missing, such as the token of a calendar feed.
    if response.status_code == 404 and case.path.endswith("}"):
        DATA.forget(list(case.path_parameters.values())[-1])
    if response.status_code == 400 and isinstance(case.body, dict):
        for field, reason in _rejections(response):
            if reason == "not_found":
                DATA.forget_field(case.body, field)
    if response.status_code >= 300 or (case.query or {}).get("dry_run") in (True, "true"):
        return
    # The ids in the document of the API are those of its examples.
    if case.path != "/openapi.json" and "json" in str(response.headers.get("content-type", "")):
        DATA.learn(response.text)
        if case.method == "GET":
            DATA.learn_page(case.formatted_path, case.query or {}, response.json())
