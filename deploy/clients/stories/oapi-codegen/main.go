// Books, pays and cancels a lesson with the client that oapi-codegen makes for Go.
package main

import (
	"context"
	"crypto/rand"
	"encoding/json"
	"fmt"
	"log"
	"net/http"
	"os"
	"time"

	"example.com/swim"
	"github.com/oapi-codegen/runtime/types"
)

var (
	account = os.Getenv("ACCOUNT")
	client  *swim.ClientWithResponses
	ctx     = context.Background()
)

func check(isTrue bool, what any) {
	if !isTrue {
		log.Fatal(what)
	}
}

// must returns what the API has answered, and ends the program where no answer came.
func must[T any](answer *T, err error) *T {
	check(err == nil, err)
	return answer
}

// good returns the part of an answer that it has if it is a success, and ends the program otherwise.
func good[T any](success *T, body []byte) T {
	check(success != nil, string(body))
	return *success
}

// added makes a list of one item, and returns the item, whose type has no name.
func added[T any](list **[]T) *T {
	items := make([]T, 1)
	*list = &items
	return &items[0]
}

func pointer[T any](value T) *T { return &value }

// findTime returns the last free time that an instructor has published.
func findTime() (string, time.Time) {
	search := swim.ListInstructorsParams{Search: pointer("Greta Lindqvist")}
	found := must(client.ListInstructorsWithResponse(ctx, &search))
	instructor := good(found.JSON200, found.Body).Data[0]
	length := swim.GetAvailabilityParams{DurationMinutes: pointer(30)}
	answer := must(client.GetAvailabilityWithResponse(ctx, instructor.Id, &length))
	slots := good(answer.JSON200, answer.Body).Data.Slots
	fmt.Printf("find: %s has %d free times\n", instructor.Name, len(slots))
	return instructor.Id, slots[len(slots)-1].Start
}

func lesson(instructor, name string, start time.Time) swim.CreateBookingBody {
	child := swim.CreateMemberBody{
		Name:        name,
		DateOfBirth: types.Date{Time: time.Date(2017, 5, 4, 0, 0, 0, 0, time.UTC)},
	}
	member := must(client.CreateMemberWithResponse(ctx, account, nil, child))
	body := swim.CreateBookingBody{
		InstructorId: &instructor,
		MemberIds:    []string{good(member.JSON201, member.Body).Data.Id},
	}
	session := added(&body.Sessions)
	session.Date, session.DurationMinutes = start, 30
	return body
}

func book(instructor string, start time.Time, order string) swim.Booking {
	body := lesson(instructor, "Mia", start)
	body.Metadata = &map[string]string{"order": order}
	key := swim.CreateBookingParams{IdempotencyKey: pointer(rand.Text())}
	answer := must(client.CreateBookingWithResponse(ctx, &key, body))
	booking := good(answer.JSON201, answer.Body).Data
	check(booking.Sessions[0].Date.Equal(start), "Another time was booked.")
	fmt.Printf("book: %s, %d %s due\n", booking.Status, booking.AmountDueCents, booking.Currency)
	return booking
}

// readConflict asks for the same time for another child, who is offered other times.
func readConflict(instructor string, start time.Time) {
	answer := must(client.CreateBookingWithResponse(ctx, nil, lesson(instructor, "Ben", start)))
	failure, err := good(answer.JSON409, answer.Body).Error.AsConflictError()
	check(err == nil, err)
	details, err := failure.Details.AsConflictingDatesDetails()
	check(err == nil, err)
	conflict := details.Conflicts[0]
	check(conflict.Reason == swim.DateConflictReasonInstructorBusy, conflict.Reason)
	fmt.Printf("conflict: %s, free at %s\n", conflict.Reason, conflict.Suggestions[0].Start.Format(time.RFC3339))
}

func pay(booking swim.Booking) {
	cards := must(client.ListPaymentMethodsWithResponse(ctx, account, nil))
	answer := must(client.CreatePaymentWithResponse(ctx, nil, swim.CreatePaymentBody{
		BookingId:       booking.Id,
		PaymentMethodId: &good(cards.JSON200, cards.Body).Data[0].Id,
		AmountCents:     booking.AmountDueCents,
		Currency:        booking.Currency,
	}))
	payment := good(answer.JSON201, answer.Body).Data
	check(payment.Status == swim.PaymentStateSucceeded && payment.Dispute == nil, payment.Status)
	fmt.Printf("pay: %d %s %s\n", payment.AmountCents, payment.Currency, payment.Status)
}

func cancel(booking swim.Booking) {
	quoted := must(client.QuoteBookingCancellationWithResponse(ctx, booking.Id))
	quote := good(quoted.JSON200, quoted.Body).Data
	check(quote.FeeCents+quote.RefundCents == booking.AmountDueCents, "The quote is about another amount.")
	fmt.Printf("quote: %d %s back, free until %s\n", quote.RefundCents, quote.Currency, quote.FreeUntil.Format(time.RFC3339))
	answer := must(client.CancelBookingWithResponse(ctx, booking.Id, nil, swim.CancelBookingBody{}))
	status := good(answer.JSON200, answer.Body).Data.Status
	check(status == swim.BookingStatusCancelled, status)
	fmt.Printf("cancel: %s\n", status)
}

func sessions(params swim.ListSessionsParams) swim.SessionListEnvelope {
	answer := must(client.ListSessionsWithResponse(ctx, &params))
	return good(answer.JSON200, answer.Body)
}

func readPages() {
	ids := map[string]bool{}
	page := sessions(swim.ListSessionsParams{Limit: pointer(2)})
	for {
		for _, session := range page.Data {
			ids[session.Id] = true
		}
		if !page.Pagination.HasMore {
			break
		}
		page = sessions(swim.ListSessionsParams{Limit: pointer(2), Cursor: page.Pagination.NextCursor})
	}
	check(len(ids) == page.Pagination.Total && len(ids) > 2, "Pages lack a session.")
	fmt.Printf("pages: %d sessions\n", len(ids))
}

// readEvents reads the event of the cancellation, which comes a moment after the answer.
func readEvents(booking swim.Booking) {
	of := swim.ListEventsParams{Type: pointer("booking.cancelled"), ObjectId: &booking.Id}
	var events []swim.AccountEvent
	for len(events) == 0 {
		time.Sleep(100 * time.Millisecond)
		answer := must(client.ListEventsWithResponse(ctx, &of))
		events = good(answer.JSON200, answer.Body).Data
	}
	event, err := events[0].AsBookingCancelledEvent()
	check(err == nil && event.Data.Object.Id == booking.Id, "The event is of another booking.")
	object := event.Data.Object
	check(object.ExpiresAt == nil && object.MakeupCreditId == nil, "A field that is null has a value.")
	fmt.Printf("events: %d %s, expires_at %v\n", event.Sequence, event.Type, object.ExpiresAt)
}

func filter(booking swim.Booking, start time.Time, order string) {
	end := pointer(start.Add(time.Hour).Format(time.RFC3339))
	day := pointer(start.Format(time.DateOnly))
	found := sessions(swim.ListSessionsParams{BookingId: &booking.Id, DateFrom: day, DateTo: end})
	later := sessions(swim.ListSessionsParams{BookingId: &booking.Id, DateFrom: end})
	check(found.Pagination.Total == 1 && later.Pagination.Total == 0, "The filter of dates is wrong.")
	fmt.Printf("dates: %s\n", found.Data[0].Date.Format(time.RFC3339))

	metadata, err := json.Marshal(map[string]string{"order": order})
	check(err == nil, err)
	answer := must(client.ListBookingsWithResponse(ctx, &swim.ListBookingsParams{Metadata: pointer(string(metadata))}))
	ordered := good(answer.JSON200, answer.Body).Data
	check(len(ordered) == 1 && ordered[0].Id == booking.Id, "The filter of metadata is wrong.")
	fmt.Printf("metadata: %v\n", ordered[0].Metadata)
}

func main() {
	key := func(_ context.Context, request *http.Request) error {
		request.Header.Set("Authorization", "Bearer "+os.Getenv("KEY"))
		return nil
	}
	client = must(swim.NewClientWithResponses(os.Getenv("API"), swim.WithRequestEditorFn(key)))

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
