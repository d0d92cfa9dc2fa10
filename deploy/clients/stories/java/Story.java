import java.time.LocalDate;
import java.time.OffsetDateTime;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.UUID;
import org.openapitools.client.ApiClient;
import org.openapitools.client.ApiException;
import org.openapitools.client.api.*;
import org.openapitools.client.model.*;

/** Books, pays and cancels a lesson with the client that openapi-generator makes for Java. */
public class Story {
  private static final String ACCOUNT = System.getenv("ACCOUNT");
  private final ApiClient client = new ApiClient();
  private final BookingsApi bookings;

  private Story() {
    client.updateBaseUri(System.getenv("API"));
    client.setRequestInterceptor(request -> request.header("Authorization", "Bearer " + System.getenv("KEY")));
    bookings = new BookingsApi(client);
  }

  public static void main(String[] args) throws Exception {
    new Story().run();
  }

  private void run() throws Exception {
    var order = UUID.randomUUID().toString();
    var instructors = new InstructorsApi(client);
    var instructor = instructors
        .listInstructors(null, null, null, null, null, "Greta Lindqvist", null, null, null, null, null, null)
        .getData().get(0);
    var slots = instructors.getAvailability(instructor.getId(), null, null, null, 30).getData().getSlots();
    System.out.printf("find: %s has %d free times%n", instructor.getName(), slots.size());
    var start = slots.get(slots.size() - 1).getStart();
    var booking = book(instructor.getId(), start, order);
    readConflict(instructor.getId(), start);
    pay(booking);
    cancel(booking);
    readPages();
    readEvents(booking);
    filterDates(booking, start);
    filterMetadata(booking, order);
  }

  private CreateBookingBody lesson(String instructorId, String name, OffsetDateTime start) throws ApiException {
    var body = new CreateMemberBody().name(name).dateOfBirth(LocalDate.of(2017, 5, 4));
    var member = new MembersApi(client).createMember(ACCOUNT, body, null, null).getData();
    return new CreateBookingBody()
        .instructorId(instructorId)
        .memberIds(Set.of(member.getId()))
        .addSessionsItem(new CreateBookingBodySessionsInner().date(start).durationMinutes(30));
  }

  private Booking book(String instructorId, OffsetDateTime start, String order) throws ApiException {
    var body = lesson(instructorId, "Mia", start).metadata(Map.of("order", order));
    var booking = bookings.createBooking(body, null, UUID.randomUUID().toString()).getData();
    check(booking.getSessions().get(0).getDate().isEqual(start), "Another time was booked.");
    System.out.printf("book: %s, %d %s due%n",
        booking.getStatus(), booking.getAmountDueCents(), booking.getCurrency());
    return booking;
  }

  /** Another child asks for the same time, and is offered other times. */
  private void readConflict(String instructorId, OffsetDateTime start) throws Exception {
    try {
      bookings.createBooking(lesson(instructorId, "Ben", start), null, null);
    } catch (ApiException error) {
      check(error.getCode() == 409, error.getResponseBody());
      var answer = client.getObjectMapper().readValue(error.getResponseBody(), ErrorEnvelope.class);
      var details = answer.getError().getConflictError().getDetails();
      var conflict = details.getConflictingDatesDetails().getConflicts().get(0);
      check(conflict.getReason() == DateConflict.ReasonEnum.INSTRUCTOR_BUSY, "It is not free for another reason.");
      System.out.printf("conflict: %s, free at %s%n",
          conflict.getReason(), conflict.getSuggestions().get(0).getStart());
      return;
    }
    throw new IllegalStateException("The time could be booked twice.");
  }

  private void pay(Booking booking) throws ApiException {
    var cards = new PaymentMethodsApi(client).listPaymentMethods(ACCOUNT, null, null, null, null, null, null).getData();
    var body = new CreatePaymentBody()
        .bookingId(booking.getId())
        .paymentMethodId(cards.get(0).getId())
        .amountCents(booking.getAmountDueCents())
        .currency(booking.getCurrency());
    var payment = new PaymentsApi(client).createPayment(body, null, UUID.randomUUID().toString()).getData();
    check(payment.getStatus() == PaymentState.SUCCEEDED && payment.getDispute() == null, "It was not paid.");
    System.out.printf("pay: %d %s %s%n", payment.getAmountCents(), payment.getCurrency(), payment.getStatus());
  }

  private void cancel(Booking booking) throws ApiException {
    var quote = bookings.quoteBookingCancellation(booking.getId()).getData();
    check(quote.getFeeCents() + quote.getRefundCents() == booking.getAmountDueCents(), "It is another amount.");
    System.out.printf("quote: %d %s back, free until %s%n",
        quote.getRefundCents(), quote.getCurrency(), quote.getFreeUntil());
    var cancelled = bookings.cancelBooking(booking.getId(), null, null, new CancelBookingBody()).getData();
    check(cancelled.getStatus() == BookingStatus.CANCELLED, "The booking is not cancelled.");
    System.out.printf("cancel: %s%n", cancelled.getStatus());
  }

  private SessionListEnvelope sessions(String bookingId, String from, String to, Integer limit, String cursor)
      throws ApiException {
    return new SessionsApi(client)
        .listSessions(null, null, bookingId, null, null, null, null, null, from, to, limit, null, cursor);
  }

  private void readPages() throws ApiException {
    var ids = new HashSet<String>();
    var page = sessions(null, null, null, 2, null);
    page.getData().forEach(session -> ids.add(session.getId()));
    while (page.getPagination().getHasMore()) {
      page = sessions(null, null, null, 2, page.getPagination().getNextCursor());
      page.getData().forEach(session -> ids.add(session.getId()));
    }
    check(ids.size() == page.getPagination().getTotal() && ids.size() > 2, "Pages lack a session.");
    System.out.printf("pages: %d sessions%n", ids.size());
  }

  /** The event of the cancellation comes a moment after the answer. */
  private void readEvents(Booking booking) throws Exception {
    List<AccountEvent> events = List.of();
    while (events.isEmpty()) {
      Thread.sleep(100);
      events = new EventsApi(client)
          .listEvents("booking.cancelled", booking.getId(), null, null, null, null, null, null, null).getData();
    }
    var event = events.get(0).getBookingCancelledEvent();
    var object = event.getData().getObject();
    check(object.getId().equals(booking.getId()), "The event is of another booking.");
    check(object.getExpiresAt() == null && object.getMakeupCreditId() == null, "A field that is null has a value.");
    System.out.printf("events: %d %s, expires_at %s%n", event.getSequence(), event.getType(), object.getExpiresAt());
  }

  private void filterDates(Booking booking, OffsetDateTime start) throws ApiException {
    var end = start.plusHours(1).toString();
    var found = sessions(booking.getId(), start.toLocalDate().toString(), end, null, null);
    var later = sessions(booking.getId(), end, null, null, null);
    check(found.getPagination().getTotal() == 1 && later.getPagination().getTotal() == 0, "The filter is wrong.");
    System.out.printf("dates: %s%n", found.getData().get(0).getDate());
  }

  private void filterMetadata(Booking booking, String order) throws Exception {
    var metadata = client.getObjectMapper().writeValueAsString(Map.of("order", order));
    var found = bookings
        .listBookings(null, null, null, null, null, null, null, null, metadata, null, null, null, null).getData();
    check(found.size() == 1 && found.get(0).getId().equals(booking.getId()), "The filter is wrong.");
    System.out.printf("metadata: %s%n", found.get(0).getMetadata());
  }

  private static void check(boolean isTrue, String what) {
    if (!isTrue) throw new IllegalStateException(what);
  }
}
