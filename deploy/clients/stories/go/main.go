// Books, pays and cancels a lesson with the client that openapi-generator makes for Go.
package main

import (
	"context"
	"crypto/rand"
	"encoding/json"
	"errors"
	"fmt"
	"log"
	"os"
	"time"

	"example.com/swim"
)

var (
	account = os.Getenv("ACCOUNT")
	client  *swim.APIClient
	ctx     = context.WithValue(context.Background(), swim.ContextAccessToken, os.Getenv("KEY"))
)

// must returns what the API has answered, and ends the program if it has answered an error.
func must[T any](answer T, _ any, err error) T {
	var failure *swim.GenericOpenAPIError
	if errors.As(err, &failure) {
		log.Fatalf("%v: %s", err, failure.Body())
	}
	check(err == nil, fmt.Sprint(err))
	return answer
}

func check(isTrue bool, what string) {
	if !isTrue {
		log.Fatal(what)
	}
}

// findTime returns the last free time that an instructor has published.
func findTime() (string, time.Time) {
	found := must(client.InstructorsAPI.ListInstructors(ctx).Search("Greta Lindqvist").Execute())
	instructor := found.Data[0]
	availability := must(client.InstructorsAPI.GetAvailability(ctx, instructor.Id).DurationMinutes(30).Execute())
	slots := availability.Data.Slots
	fmt.Printf("find: %s has %d free times\n", instructor.Name, len(slots))
	return instructor.Id, slots[len(slots)-1].Start
}

func lesson(instructor, name string, start time.Time) swim.CreateBookingBody {
	child := *swim.NewCreateMemberBody(name, "2017-05-04")
	member := must(client.MembersAPI.CreateMember(ctx, account).CreateMemberBody(child).Execute())
	body := *swim.NewCreateBookingBody([]string{member.Data.Id})
	body.SetInstructorId(instructor)
	body.SetSessions([]swim.CreateBookingBodySessionsInner{*swim.NewCreateBookingBodySessionsInner(start, 30)})
	return body
}

func book(instructor string, start time.Time, order string) swim.Booking {
	body := lesson(instructor, "Mia", start)
	body.SetMetadata(map[string]string{"order": order})
	booking := must(client.BookingsAPI.CreateBooking(ctx).CreateBookingBody(body).IdempotencyKey(rand.Text()).Execute()).Data
	check(booking.Sessions[0].Date.Equal(start), "Another time was booked.")
	fmt.Printf("book: %s, %d %s due\n", booking.Status, booking.AmountDueCents, booking.Currency)
	return booking
}

// readConflict asks for the same time for another child, who is offered other times.
func readConflict(instructor string, start time.Time) {
	_, response, err := client.BookingsAPI.CreateBooking(ctx).CreateBookingBody(lesson(instructor, "Ben", start)).Execute()
	var failure *swim.GenericOpenAPIError
	check(errors.As(err, &failure) && response.StatusCode == 409, "The time could be booked twice.")
	envelope, isError := failure.Model().(swim.ErrorEnvelope)
	check(isError && envelope.Error.ConflictError != nil, "The error cannot be read.")
	details := envelope.Error.ConflictError.Details.ConflictingDatesDetails
	check(details != nil && details.Conflicts[0].Reason == "instructor_busy", "The time is not free for another reason.")
	conflict := details.Conflicts[0]
	fmt.Printf("conflict: %s, free at %s\n", conflict.Reason, conflict.Suggestions[0].Start.Format(time.RFC3339))
}

func pay(booking swim.Booking) {
	cards := must(client.PaymentMethodsAPI.ListPaymentMethods(ctx, account).Execute())
	body := *swim.NewCreatePaymentBody(booking.Id, booking.AmountDueCents, booking.Currency)
	body.SetPaymentMethodId(cards.Data[0].Id)
	payment := must(client.PaymentsAPI.CreatePayment(ctx).CreatePaymentBody(body).IdempotencyKey(rand.Text()).Execute()).Data
	check(payment.Status == swim.PAYMENTSTATE_SUCCEEDED && payment.Dispute.Get() == nil, "It was not paid.")
	fmt.Printf("pay: %d %s %s\n", payment.AmountCents, payment.Currency, payment.Status)
}

func cancel(booking swim.Booking) {
	quote := must(client.BookingsAPI.QuoteBookingCancellation(ctx, booking.Id).Execute()).Data
	check(quote.FeeCents+quote.RefundCents == booking.AmountDueCents, "The quote is about another amount.")
	fmt.Printf("quote: %d %s back, free until %s\n", quote.RefundCents, quote.Currency, quote.FreeUntil.Format(time.RFC3339))
	// Without a body this client would send null.
	body := *swim.NewCancelBookingBody()
	cancelled := must(client.BookingsAPI.CancelBooking(ctx, booking.Id).CancelBookingBody(body).Execute()).Data
	check(cancelled.Status == swim.BOOKINGSTATUS_CANCELLED, "The booking is not cancelled.")
	fmt.Printf("cancel: %s\n", cancelled.Status)
}

func readPages() {
	ids := map[string]bool{}
	page := must(client.SessionsAPI.ListSessions(ctx).Limit(2).Execute())
	for {
		for _, session := range page.Data {
			ids[session.Id] = true
		}
		if !page.Pagination.HasMore {
			break
		}
		page = must(client.SessionsAPI.ListSessions(ctx).Limit(2).Cursor(*page.Pagination.NextCursor.Get()).Execute())
	}
	check(len(ids) == int(page.Pagination.Total) && len(ids) > 2, "Pages lack a session.")
	fmt.Printf("pages: %d sessions\n", len(ids))
}

// readEvents reads the event of the cancellation, which comes a moment after the answer.
func readEvents(booking swim.Booking) {
	var events []swim.AccountEvent
	for len(events) == 0 {
		time.Sleep(100 * time.Millisecond)
		events = must(client.EventsAPI.ListEvents(ctx).Type_("booking.cancelled").ObjectId(booking.Id).Execute()).Data
	}
	event := events[0].BookingCancelledEvent
	check(event != nil && event.Data.Object.Id == booking.Id, "The event is of another booking.")
	object := event.Data.Object
	check(object.ExpiresAt.Get() == nil && object.MakeupCreditId.Get() == nil, "A field that is null has a value.")
	fmt.Printf("events: %d %s, expires_at %v\n", event.Sequence, event.Type, object.ExpiresAt.Get())
}

func filter(booking swim.Booking, start time.Time, order string) {
	sessions := client.SessionsAPI.ListSessions(ctx).BookingId(booking.Id)
	end := start.Add(time.Hour).Format(time.RFC3339)
	found := must(sessions.DateFrom(start.Format(time.DateOnly)).DateTo(end).Execute())
	later := must(sessions.DateFrom(end).Execute())
	check(found.Pagination.Total == 1 && later.Pagination.Total == 0, "The filter of dates is wrong.")
	fmt.Printf("dates: %s\n", found.Data[0].Date.Format(time.RFC3339))

	metadata, err := json.Marshal(map[string]string{"order": order})
	check(err == nil, fmt.Sprint(err))
	ordered := must(client.BookingsAPI.ListBookings(ctx).Metadata(string(metadata)).Execute()).Data
	check(len(ordered) == 1 && ordered[0].Id == booking.Id, "The filter of metadata is wrong.")
	fmt.Printf("metadata: %v\n", ordered[0].Metadata)
}

func main() {
	configuration := swim.NewConfiguration()
	configuration.Servers = swim.ServerConfigurations{{URL: os.Getenv("API")}}
	client = swim.NewAPIClient(configuration)

	order := rand.Text()
	instructor, start := findTime()
	booking := book(instructor, start, order)
	readConflict(instructor, start)
	pay(booking)
	cancel(booking)
	readPages()
	readEvents(booking)
	filter(booking, start, order)
}
