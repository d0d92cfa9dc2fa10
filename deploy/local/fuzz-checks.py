"""Hooks of `npm run fuzz` (fuzz.ts): a check of what is rejected, and the protection of the run's own key."""

import os
import re

import schemathesis

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
    # What exists, and may be named by this key.
    "not_found": r".*(_id|_ids|_ids\.\d+)",
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


@schemathesis.hook
def before_call(ctx, case, kwargs):
    """Another key takes the place of the run's own, which a request could end, and links follow no dry run: what it answers does
    not exist."""
    parameters = case.path_parameters
    if parameters and parameters.get("key_id") == OWN_KEY and case.method != "GET":
        parameters["key_id"] = OTHER_KEY
    meta = case.meta
    if meta is not None and meta.phase.name == "stateful" and (case.query or {}).get("dry_run") in (True, "true"):
        del case.query["dry_run"]
