"""Books, pays and cancels a lesson with the client that openapi-generator makes for Python."""

import datetime as dt
import json
import os
import time
import uuid

import swim
from swim.models import (
    CreateBookingBody,
    CreateBookingBodySessionsInner,
    CreateMemberBody,
    CreatePaymentBody,
    ErrorEnvelope,
)

ACCOUNT = os.environ["ACCOUNT"]
configuration = swim.Configuration(host=os.environ["API"], access_token=os.environ["KEY"])


def find_time(client):
    """The last free time that an instructor has published."""
    greta = swim.InstructorsApi(client).list_instructors(search="Greta Lindqvist").data[0]
    slots = swim.InstructorsApi(client).get_availability(greta.id, duration_minutes=30).data.slots
    print(f"find: {greta.name} has {len(slots)} free times")
    return greta, slots[-1]


def new_member(client, name):
    body = CreateMemberBody(name=name, date_of_birth=dt.date(2017, 5, 4))
    return swim.MembersApi(client).create_member(ACCOUNT, body).data


def lesson(instructor, member, start, metadata=None):
    sessions = [CreateBookingBodySessionsInner(var_date=start, duration_minutes=30)]
    return CreateBookingBody(
        instructor_id=instructor.id, member_ids=[member.id], sessions=sessions, metadata=metadata
    )


def book(client, instructor, start, order):
    body = lesson(instructor, new_member(client, "Mia"), start, metadata={"order": order})
    booking = swim.BookingsApi(client).create_booking(body, idempotency_key=str(uuid.uuid4())).data
    assert booking.sessions[0].var_date == start
    print(f"book: {booking.status.value}, {booking.amount_due_cents} {booking.currency} due")
    return booking


def read_conflict(client, instructor, start):
    """Another child asks for the same time, and is offered other times."""
    try:
        swim.BookingsApi(client).create_booking(lesson(instructor, new_member(client, "Ben"), start))
    except swim.ApiException as error:
        details = ErrorEnvelope.from_json(error.body).error.actual_instance.details.actual_instance
        conflict = details.conflicts[0]
        assert (error.status, details.reason, conflict.reason) == (409, "conflicting_dates", "instructor_busy")
        print(f"conflict: {conflict.reason}, free at {conflict.suggestions[0].start.isoformat()}")
        return
    raise AssertionError("The time could be booked twice.")


def pay(client, booking):
    card = swim.PaymentMethodsApi(client).list_payment_methods(ACCOUNT).data[0]
    body = CreatePaymentBody(
        booking_id=booking.id,
        payment_method_id=card.id,
        amount_cents=booking.amount_due_cents,
        currency=booking.currency,
    )
    payment = swim.PaymentsApi(client).create_payment(body, idempotency_key=str(uuid.uuid4())).data
    assert payment.status.value == "succeeded" and payment.dispute is None
    print(f"pay: {payment.amount_cents} {payment.currency} {payment.status.value}")


def cancel(client, booking):
    bookings = swim.BookingsApi(client)
    quote = bookings.quote_booking_cancellation(booking.id).data
    assert quote.fee_cents + quote.refund_cents == booking.amount_due_cents
    print(f"quote: {quote.refund_cents} {quote.currency} back, free until {quote.free_until.isoformat()}")
    cancelled = bookings.cancel_booking(booking.id, idempotency_key=str(uuid.uuid4())).data
    assert cancelled.status.value == "cancelled"
    print(f"cancel: {cancelled.status.value}")


def read_pages(client):
    sessions, cursor = [], None
    while True:
        page = swim.SessionsApi(client).list_sessions(limit=2, cursor=cursor)
        sessions += page.data
        if not page.pagination.has_more:
            break
        cursor = page.pagination.next_cursor
    assert len({session.id for session in sessions}) == page.pagination.total > 2
    print(f"pages: {len(sessions)} sessions")


def read_events(client, booking):
    """The event of the cancellation, which comes a moment after the answer."""
    while True:
        events = swim.EventsApi(client).list_events(type="booking.cancelled", object_id=booking.id).data
        if events:
            break
        time.sleep(0.1)
    event = events[0].actual_instance
    assert event.data.object.id == booking.id
    assert event.data.object.expires_at is None and event.data.object.makeup_credit_id is None
    print(f"events: {event.sequence} {event.type}, expires_at {event.data.object.expires_at}")


def filter_dates(client, booking, start):
    end = start + dt.timedelta(hours=1)
    found = swim.SessionsApi(client).list_sessions(
        booking_id=booking.id, date_from=start.date().isoformat(), date_to=end.isoformat()
    )
    later = swim.SessionsApi(client).list_sessions(booking_id=booking.id, date_from=end.isoformat())
    assert (found.pagination.total, later.pagination.total) == (1, 0)
    print(f"dates: {found.data[0].var_date.isoformat()}")


def filter_metadata(client, booking, order):
    found = swim.BookingsApi(client).list_bookings(metadata=json.dumps({"order": order})).data
    assert [each.id for each in found] == [booking.id]
    print(f"metadata: {found[0].metadata}")


def main():
    order = str(uuid.uuid4())
    with swim.ApiClient(configuration) as client:
        instructor, slot = find_time(client)
        booking = book(client, instructor, slot.start, order)
        read_conflict(client, instructor, slot.start)
        pay(client, booking)
        cancel(client, booking)
        read_pages(client)
        read_events(client, booking)
        filter_dates(client, booking, slot.start)
        filter_metadata(client, booking, order)


main()
