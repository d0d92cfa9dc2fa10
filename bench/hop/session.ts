/** The size of the requested session as JSON. */
export const BODY_BYTES = 405;

export const GET_SESSION = 'rpc.scheduling.getSession';
export const VERIFY_KEY = 'rpc.people.verifyKey';
export const READ_CLOCK = 'rpc.people.readClock';

/** Returns a session of exactly 405 bytes as JSON; its location is padded to that size. */
export function exampleSession(id: string): object {
  const session = {
    id,
    account_id: 'acct_01kdvdna01e8ha48h248h248h2',
    booking_id: null,
    instructor_id: 'ins_01kdvdna01e8ha48h248h248h2',
    member_id: 'mem_01kdvdna01e8ha48h248h248h2',
    date: '2027-01-01T10:00:00.000Z',
    end_date: '2027-01-01T10:30:00.000Z',
    duration_minutes: 30,
    location: null,
    notes: '',
    status: 'scheduled',
    version: 1,
  };
  const missing = BODY_BYTES - Buffer.byteLength(JSON.stringify(session));
  return { ...session, notes: 'x'.repeat(missing) };
}
