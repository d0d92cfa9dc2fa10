import {
  type AccountEvent,
  type ClosedSession,
  type MessageKind,
  type PublicEventType,
  SYSTEM_ACTOR,
} from '@swim/contracts';
import type { MessageContent, MessageLesson } from './message.schema.js';

/** An event is written about within this time: nobody needs a message about what happened before a long outage. */
export const NOTICE_WITHIN_MS = 24 * 3_600_000;

const HOUR_MS = 3_600_000;
/** How long before a lesson its first reminder comes. */
const FIRST_REMINDER_MS = 24 * HOUR_MS;
/** A reminder that comes later than this before a lesson is its second. */
const LAST_REMINDER_MS = 3 * HOUR_MS;
/** A booking is cancelled, and its reminders fall due, session by session: so long its message waits for the others. */
const GATHERED_MS = 10_000;
/** How long before the first lesson of its day an instructor is written about it. */
const DAY_BEFORE_MS = 4 * HOUR_MS;

/** An event as far as messages depend on it: not on its number. */
type NoticedEvent = Omit<AccountEvent, 'sequence'> & {
  /** Whether no other account has a copy. */
  isOnly: boolean;
};

/** A message to an account about an event. */
export interface Notice {
  kind: MessageKind;
  content: MessageContent;
  /** Events of an account with the same group share a message; null for one of its own. */
  group: string | null;
  /** How long the message waits for further events of its group. */
  gatheredMs: number;
  /** The account's instructor, where the message is to him. */
  instructorId?: string;
}

/** Fields of the objects of events, as far as messages use them. */
interface Fields {
  id: string;
  account_id?: string;
  booking_id?: string | null;
  lesson_id?: string | null;
  class_id?: string | null;
  instructor_id: string;
  member_id: string;
  date: string;
  end_date: string;
  version: number;
  status: string;
  sessions: Fields[];
  cancellation?: { participants_notified: boolean } | null;
  offer?: { hold_id: string; date: string; end_date: string; expires_at: string } | null;
  amount_cents: number;
  refunded_cents: number;
  currency: string;
  url: string;
  disabled_reason: 'gone' | 'failing' | null;
}

/** The messages to the account of a copy of an event, and to its instructors, by the type of the event; other types need no message. */
const NOTICES: Partial<Record<PublicEventType, (event: NoticedEvent, object: Fields) => Notice[]>> = {
  // A booking's sessions are written about once it is confirmed.
  'session.created': (event, object) =>
    object.booking_id === null
      ? [...toParticipants(event, object, alone('booked', lessonsOf([object]))), ...lateNoticesOf(event, [object])]
      : [],
  'booking.confirmed': (event, object) => {
    if (isDemo(event)) return [];
    const sessions = bookedSessions(object);
    return [...toParticipants(event, object, alone('booked', lessonsOf(sessions))), ...lateNoticesOf(event, sessions)];
  },
  'session.rescheduled': (event, object) => [
    ...toParticipants(event, object, alone('rescheduled', lessonsOf([object], changesOf(event)))),
    ...lateNoticesOf(event, [object]),
  ],
  'session.updated': (event, object) => {
    const changes = changesOf(event);
    // Notes, prices and metadata concern nobody's way to the lesson.
    if (changes.changed.length === 0) return [];
    return toParticipants(event, object, alone('rescheduled', lessonsOf([object], changes)));
  },
  'session.cancelled': (event, object) =>
    object.cancellation?.participants_notified ? toParticipants(event, object, cancelledNotice(event, object)) : [],
  'session.reminder': (event, object) => [
    ...toOwner(event, reminderNotice(event, object)),
    ...dayNoticesOf(event, object),
  ],
  'waitlist.offered': (event, object) =>
    object.offer ? toOwner(event, alone('waitlist_offer', offerOf(object, object.offer))) : [],
  'payment.succeeded': (event, object) => toOwner(event, alone('receipt', paymentOf(object, object.amount_cents))),
  'payment.refunded': (event, object) =>
    toOwner(event, alone('refund', paymentOf(object, object.refunded_cents - formerlyRefunded(event)))),
  'webhook_endpoint.disabled': (_, object) =>
    object.disabled_reason ? [alone('endpoint_disabled', endpointOf(object, object.disabled_reason))] : [],
};

/** The types of event that messages are about. */
export const NOTICED_TYPES: ReadonlySet<string> = new Set(Object.keys(NOTICES));

export const noticesOf = (event: NoticedEvent): Notice[] =>
  NOTICES[event.type as PublicEventType]?.(event, event.data.object as unknown as Fields) ?? [];

/** Only to the account whose object it is: others see it too, as the school of an instructor does. */
const toOwner = (event: NoticedEvent, notice: Notice): Notice[] => (isOwn(event) ? [notice] : []);

/** To each participant of a lesson and its instructor, no matter which account booked, moved or cancelled it. */
const toParticipants = (event: NoticedEvent, object: Fields, notice: ChangeNotice): Notice[] => [
  ...(isParticipant(event) ? [notice] : []),
  ...instructorNoticesOf(event, object, notice),
];

/** The places of a lesson are moved and cancelled one by one: its instructor gets one message about those of a request. */
function gatheringOf(event: NoticedEvent, { lesson_id: lessonId }: Fields, notice: Notice, instructorId: string) {
  const { kind, group, gatheredMs } = notice;
  const requestId = event.request?.id;
  if (lessonId && requestId && (kind === 'rescheduled' || kind === 'cancelled')) {
    // A message about moved lessons is about one of them; that about cancelled ones lists all.
    const of = kind === 'rescheduled' ? lessonId : '';
    return { group: `${instructorId}|${kind}|${of}|${requestId}`, gatheredMs: GATHERED_MS };
  }
  return { group: group && `${instructorId}|${group}`, gatheredMs };
}

/** The messages to instructors about an event of their school: after a hand-over, to the former and the new one. */
function instructorNoticesOf(event: NoticedEvent, object: Fields, notice: ChangeNotice): Notice[] {
  if (isOwn(event) && !event.isOnly) return [];
  const noticeTo = (instructorId: string, content: LessonsContent): Notice => ({
    ...notice,
    instructorId,
    content: { ...content, isAccountTold: isParticipant(event) },
    ...gatheringOf(event, object, notice, instructorId),
  });
  const former = event.data.previous_attributes as Partial<Fields> | null;
  if (!former?.instructor_id || notice.kind !== 'rescheduled') {
    const byInstructor = Map.groupBy(notice.content.lessons, ({ instructorId }) => instructorId);
    return [...byInstructor].map(([id, lessons]) => noticeTo(id, { ...notice.content, lessons }));
  }
  return [
    noticeTo(object.instructor_id, { ...lessonsOf([object]), handOver: 'to' }),
    noticeTo(former.instructor_id, {
      ...lessonsOf([{ ...object, ...former, version: object.version }]),
      handOver: 'from',
    }),
  ];
}

type LessonsContent = Extract<MessageContent, { about: 'lessons' }>;
type ChangeNotice = Notice & { content: LessonsContent };

const alone = <C extends MessageContent>(kind: Notice['kind'], content: C): Notice & { content: C } => ({
  kind,
  content,
  group: null,
  gatheredMs: 0,
});

/** Whether the object is the account's. */
const isOwn = ({ account_id, data }: NoticedEvent): boolean => data.object.account_id === account_id;

/** The members' account, also when it acted itself; the instructor's school unless one of its keys or users acted. */
const isParticipant = (event: NoticedEvent): boolean => isOwn(event) || !/^(?:key|usr)_/.test(event.actor);

/** Whether a service has made the booking by itself. One that a payment confirms has changed since it was made. */
const isDemo = ({ actor, data }: NoticedEvent): boolean =>
  actor === SYSTEM_ACTOR && (data.object as unknown as Fields).version === 1;

function cancelledNotice(event: NoticedEvent, object: Fields): ChangeNotice {
  const content = lessonsOf([object]);
  if (!object.booking_id) return alone('cancelled', content);
  const group = `cancelled|${object.booking_id}|${event.request?.id ?? 'system'}`;
  return { kind: 'cancelled', content, group, gatheredMs: GATHERED_MS };
}

function reminderNotice(event: NoticedEvent, object: Fields): Notice {
  const content = lessonsOf([object]);
  if (!object.booking_id) return alone('reminder', content);
  const isLast = aheadMsOf(event, object) < LAST_REMINDER_MS;
  const group = `reminder|${object.booking_id}|${object.date}|${isLast ? 'last' : 'first'}`;
  return { kind: 'reminder', content, group, gatheredMs: GATHERED_MS };
}

/**
 * The mail of an instructor's day, from the first reminders of its lessons, or their late bookings: sent before the first lesson, it has those that follow within
 * a day. A second reminder repeats it. The clock of a sandbox may advance at any time: there it waits for those of one advance.
 */
function dayNoticesOf(event: NoticedEvent, object: Fields): Notice[] {
  const aheadMs = aheadMsOf(event, object);
  if ((isOwn(event) && !event.isOnly) || aheadMs < LAST_REMINDER_MS) return [];
  const { instructor_id: instructorId } = object;
  const gatheredMs = event.livemode ? Math.max(aheadMs - DAY_BEFORE_MS, GATHERED_MS) : GATHERED_MS;
  return [{ kind: 'reminder', instructorId, content: lessonsOf([object]), group: `day|${instructorId}`, gatheredMs }];
}

/** Those of lessons that were booked or moved too late for a first reminder. In a sandbox they may be at any distance. */
function lateNoticesOf(event: NoticedEvent, sessions: readonly Fields[]): Notice[] {
  const late = sessions.filter((session) => {
    const aheadMs = aheadMsOf(event, session);
    return event.livemode && aheadMs > DAY_BEFORE_MS && aheadMs < FIRST_REMINDER_MS;
  });
  return late.flatMap((session) => dayNoticesOf(event, session));
}

const aheadMsOf = ({ timestamp }: NoticedEvent, { date }: Fields): number => Date.parse(date) - Date.parse(timestamp);

/** The messages to accounts and instructors about the sessions that a closure of a school has cancelled. */
export function closureNoticesOf(
  schoolId: string,
  sessions: readonly ClosedSession[],
): (Notice & { accountId: string })[] {
  const contentOf = (some: readonly ClosedSession[]): LessonsContent => ({
    about: 'lessons',
    lessons: some
      .map(({ id, version, accountId: _, ...times }) => ({ ...times, sessionId: id, sequence: version - 1 }))
      .sort((a, b) => a.date.localeCompare(b.date)),
  });
  const byAccount = Map.groupBy(sessions, ({ accountId }) => accountId);
  const byInstructor = Map.groupBy(sessions, ({ instructorId }) => instructorId);
  return [
    ...[...byAccount].map(([accountId, own]) => ({ accountId, ...alone('cancelled', contentOf(own)) })),
    ...[...byInstructor].map(([instructorId, taught]) => ({
      accountId: schoolId,
      instructorId,
      ...alone('cancelled', { ...contentOf(taught), isAccountTold: byAccount.has(schoolId) }),
    })),
  ];
}

const bookedSessions = ({ sessions }: Fields): Fields[] =>
  sessions.filter(({ status }) => status === 'scheduled').map((session) => ({ ...session, version: 1 }));

type Changes = Pick<MessageLesson, 'formerDate' | 'changed'>;

const lessonsOf = (sessions: readonly Fields[], changes: Changes = {}): LessonsContent => ({
  about: 'lessons',
  lessons: sessions.map((session) => lessonOf(session, changes)),
});

const lessonOf = (session: Fields, changes: Changes): MessageLesson => ({
  sessionId: session.id,
  memberId: session.member_id,
  instructorId: session.instructor_id,
  date: session.date,
  endDate: session.end_date,
  sequence: session.version - 1,
  ...changes,
});

/** What a change means for those who come to the lesson. */
function changesOf({
  data: { previous_attributes: former },
}: NoticedEvent): Changes & Required<Pick<Changes, 'changed'>> {
  const has = (field: string) => former?.[field] !== undefined;
  const changed = [
    ...(has('date') || has('end_date') ? (['time'] as const) : []),
    ...(has('instructor_id') ? (['instructor'] as const) : []),
    ...(has('location') ? (['place'] as const) : []),
  ];
  return { changed, ...(has('date') ? { formerDate: former!.date as string } : {}) };
}

const offerOf = (entry: Fields, offer: NonNullable<Fields['offer']>): MessageContent => ({
  about: 'offer',
  waitlistId: entry.id,
  ...(entry.lesson_id ? { lessonId: entry.lesson_id } : {}),
  ...(entry.class_id ? { classId: entry.class_id } : {}),
  holdId: offer.hold_id,
  memberId: entry.member_id,
  instructorId: entry.instructor_id,
  date: offer.date,
  endDate: offer.end_date,
  expiresAt: offer.expires_at,
});

const paymentOf = ({ id, booking_id, currency }: Fields, amountCents: number): MessageContent => ({
  about: 'payment',
  paymentId: id,
  bookingId: booking_id ?? '',
  amountCents,
  currency,
});

const formerlyRefunded = ({ data }: NoticedEvent): number => Number(data.previous_attributes?.refunded_cents ?? 0);

const endpointOf = ({ id, url }: Fields, cause: 'gone' | 'failing'): MessageContent => ({
  about: 'endpoint',
  endpointId: id,
  host: new URL(url).host,
  cause,
});
