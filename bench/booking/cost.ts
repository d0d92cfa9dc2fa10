import { demoClient } from '../../deploy/local/demo/demo-client.ts';
import { load } from '../measuring/load.ts';
import { describePasses } from '../measuring/report.ts';
import { measureInTurn } from '../measuring/rounds.ts';
import { dateOf } from '../stack/dataset.ts';
import type { Run } from '../stack/stack.ts';
import { booking } from './booking.ts';
import { bookingCommands } from './commands.ts';
import { bookingRequest, type Side, startOurs, writingRequest } from './sides.ts';

const LONG = { pairs: 64, rounds: 3, amount: 300, connections: 64 };
const SHORT = { pairs: 4, rounds: 1, amount: 4, connections: 2, mostTurnedAway: 1 };
// The lessons move to the second half of the year, where nothing is booked yet.
const FIRST_MOVED_TO = 180 * 16;

/**
 * Measures the cost of every write, process by process: bookings as in `booking` and `booking-commands`, and the
 * requests that change a booking afterwards.
 * @returns the figures and targets as text.
 */
export async function cost(run: Run): Promise<string> {
  // After a start the services check the stored bookings, so commands are counted before there are many.
  const commands = await bookingCommands(run);
  return [await booking(run), await otherWrites(run), commands].join('\n');
}

async function otherWrites(run: Run) {
  const { pairs, amount, ...rounds } = run.isShort ? SHORT : LONG;
  const stack = await run.stack();
  const side = await startOurs(run, stack, pairs);
  const { base_url: baseUrl } = await stack.demo();
  const { familyId, familyKey } = side.dataset;
  const [card] = await demoClient(baseUrl, familyKey).get<{ id: string }[]>(`/accounts/${familyId}/payment-methods`);
  const needed = (rounds.rounds + 1) * (amount + 2 * rounds.connections);
  const reports: string[] = [];
  for (const [title, next] of Object.entries(requestsOf(side, card?.id))) {
    run.log(title);
    const [method = ''] = title.split(' ');
    while (side.bookings.length < needed) {
      await load({ ...side, request: bookingRequest(side), amount: needed }, 1, rounds.connections);
    }
    const subject = { ...side, request: writingRequest(side, method, next), amount };
    reports.push(
      describePasses(title, await measureInTurn([subject], { ...rounds, seconds: 1, warmUpRequests: 1 }, run.log)),
    );
  }
  return reports.join('\n');
}

/** Returns path and body of each kind of request. A request that needs a booking uses up one of the side. */
function requestsOf(side: Side, cardId: string | undefined): Record<string, () => [string, object]> {
  const movedOf = new Map<string, number>();
  return {
    'POST /v1/sessions': () => {
      const { instructor_id, member_ids, sessions } = side.nextBooking();
      return ['/v1/sessions', { instructor_id, member_id: member_ids[0], ...sessions[0] }];
    },
    'POST /v1/payments': () => {
      const { id, amount_cents, currency } = takeBooking(side);
      return ['/v1/payments', { booking_id: id, payment_method_id: cardId, amount_cents, currency }];
    },
    'PATCH /v1/sessions/{id}': () => {
      const { session_ids: ids, instructor_id: instructorId } = takeBooking(side);
      const moved = movedOf.get(instructorId) ?? 0;
      movedOf.set(instructorId, moved + 1);
      return [`/v1/sessions/${ids[0]}`, { date: dateOf(FIRST_MOVED_TO + moved) }];
    },
    'POST /v1/sessions/{id}/cancel': () => [`/v1/sessions/${takeBooking(side).session_ids[0]}/cancel`, {}],
  };
}

function takeBooking({ bookings }: Side) {
  const booking = bookings.shift();
  if (!booking) throw new Error('no booking is left for these requests');
  return booking;
}
