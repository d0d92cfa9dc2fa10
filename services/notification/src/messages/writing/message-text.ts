import type { issueUserLink, LessonPlace, Locale, MessageKind, OutputOf, Recipient } from '@swim/contracts';
import { offerUrl } from '@swim/contracts';
import { plainName } from '../mail/mail.rules.js';
import type { MessageContent, MessageLesson } from '../message.schema.js';
import type { Texts } from './texts/en.js';
import { filledIn, TEXTS } from './texts/texts.js';

/** What a message says: a subject, paragraphs, a list, and a link. */
export interface MessageText {
  subject: string;
  intro: string;
  lines: string[];
  action: { label: string; url: string } | null;
}

/** Who reads a message, and how times and names are written for it. */
export interface Reader extends Pick<Recipient, 'id' | 'kind' | 'locale' | 'timezone' | 'members' | 'instructors'> {
  /** Places of the lessons of the message. */
  places?: readonly LessonPlace[];
}

/** The text of a message for its reader. */
export function textOf(kind: MessageKind, content: MessageContent, reader: Reader): MessageText {
  const texts = TEXTS[reader.locale];
  switch (content.about) {
    case 'lessons':
      return content.handOver
        ? handOverText(content.handOver, content.lessons, reader)
        : lessonsText(kind as 'booked', content.lessons, reader);
    case 'offer':
      return offerText(content, reader);
    case 'payment':
      return paymentText(kind as 'receipt', content, reader.locale);
    case 'endpoint': {
      const { endpointId: endpoint, host, cause } = content;
      const intro = filledIn(texts[`endpoint_disabled_text_${cause}`], { endpoint, host });
      return { subject: texts.endpoint_disabled_subject, intro, lines: [], action: null };
    }
    case 'address':
    case 'user':
      throw new Error('This has no text by itself: that of a link needs what people says of it.');
  }
}

/** The text of a message with the link by which an address is confirmed: of an account, or of an instructor of this school. */
export function confirmationText(locale: Locale, url: string, school: string | null): MessageText {
  const texts = TEXTS[locale];
  const intro =
    school === null
      ? texts.email_confirmation_text
      : filledIn(texts.instructor_confirmation_text, { school: plainName(school) });
  const action = { label: texts.email_confirmation_action, url };
  return { subject: texts.email_confirmation_subject, intro, lines: [], action };
}

/** The text of a message with a link for a user of the dashboard. */
export function userLinkText(
  { purpose, locale, accountName }: NonNullable<OutputOf<typeof issueUserLink>>,
  url: string,
): MessageText {
  const texts = TEXTS[locale];
  return {
    subject: texts[`user_${purpose}_subject`],
    intro: filledIn(texts[`user_${purpose}_text`], { account: plainName(accountName ?? '') }),
    lines: [],
    action: { label: texts[`user_${purpose}_action`], url },
  };
}

/** The title of a lesson in a calendar: without the names of its members. */
export function lessonTitle(lesson: Pick<MessageLesson, 'instructorId'>, { locale, instructors }: Reader): string {
  const instructor = instructors.find(({ id }) => id === lesson.instructorId)?.name;
  return instructor === undefined ? TEXTS[locale].lessonPlain : filledIn(TEXTS[locale].lesson, { instructor });
}

/** Where a lesson, or the time of a hold, is: name and address of the pool, or the kind of place; null where nobody has said. */
export function placeOf(id: string, { locale, places = [] }: Reader): string | null {
  const place = places.find((each) => each.id === id);
  if (!place || place.type === 'pool') return place?.pool ?? null;
  return TEXTS[locale][`place_${place.type}`];
}

function lessonsText(
  kind: 'booked' | 'rescheduled' | 'cancelled' | 'reminder',
  lessons: readonly MessageLesson[],
  reader: Reader,
): MessageText {
  const texts = TEXTS[reader.locale];
  const inOrder = lessons.toSorted((a, b) => (a.date < b.date ? -1 : Number(a.date > b.date)));
  // Members who have a lesson together share a line.
  const together = [
    ...Map.groupBy(inOrder, (lesson) =>
      [lesson.date, lesson.endDate, lesson.instructorId, placeOf(lesson.sessionId, reader)].join(),
    ),
  ];
  // When one lesson among others was moved, the new time is what matters.
  const matter =
    kind === 'rescheduled' && inOrder.every(({ changed }) => changed && !changed.includes('time')) ? 'changed' : kind;
  const date = dateOf(inOrder[0]!.date, reader);
  const subject =
    together.length === 1
      ? filledIn(texts[`${matter}_subject`], { date })
      : filledIn(texts[`${kind}_subject_many`], { count: together.length });
  return {
    subject,
    intro: filledIn(texts[`${matter}_text`], { school: schoolOf(inOrder, reader) }),
    lines: together.flatMap(([, group]) => linesOf(group, reader)),
    action: null,
  };
}

/** The text to an instructor about a lesson that he takes over, or hands over. */
function handOverText(handOver: 'to' | 'from', lessons: readonly MessageLesson[], reader: Reader): MessageText {
  const texts = TEXTS[reader.locale];
  const intro = handOver === 'to' ? texts.taken_over_text : texts.handed_over_text;
  return {
    subject: filledIn(texts.handed_over_subject, { date: dateOf(lessons[0]!.date, reader) }),
    intro: filledIn(intro, { school: schoolOf(lessons, reader) }),
    lines: linesOf(lessons, reader),
    action: null,
  };
}

const schoolOf = ([lesson]: readonly MessageLesson[], { instructors }: Reader): string =>
  instructors.find(({ id }) => id === lesson!.instructorId)?.school.name ?? '–';

function linesOf(group: readonly MessageLesson[], reader: Reader): string[] {
  const [{ date, endDate, instructorId, formerDate, changed = [] }] = group as [MessageLesson];
  const memberIds = group.map(({ memberId }) => memberId);
  const place = placeOf(group[0]!.sessionId, reader);
  const texts = TEXTS[reader.locale];
  const news = [
    ...(changed.includes('instructor') ? [texts.newInstructor] : []),
    ...(changed.includes('place') ? [texts.newPlace] : []),
  ];
  const when = lineOf({ date, endDate, instructorId, memberIds }, reader);
  const line = [[when, ...(place ? [place] : [])].join(' – '), ...news].join(' · ');
  if (formerDate === undefined || formerDate === date) return [line];
  const former = `${dateOf(formerDate, reader)}, ${timeOf(formerDate, reader)} (${zoneOf(formerDate, reader)})`;
  return [line, filledIn(texts.formerly, { line: former })];
}

function lineOf(
  lesson: { date: string; endDate: string; instructorId: string; memberIds: readonly string[] },
  reader: Reader,
): string {
  const texts = TEXTS[reader.locale];
  const times = {
    date: dateOf(lesson.date, reader),
    start: timeOf(lesson.date, reader),
    end: timeOf(lesson.endDate, reader),
    zone: zoneOf(lesson.date, reader),
  };
  const line = filledIn(texts.lessonLine, times);
  const names = reader.members.filter(({ id }) => lesson.memberIds.includes(id)).map(({ name }) => name);
  const instructor = reader.instructors.find(({ id }) => id === lesson.instructorId)?.name ?? '–';
  if (names.length === 0) return filledIn(texts.lessonOfInstructor, { line, instructor });
  const members = new Intl.ListFormat(reader.locale, { type: 'conjunction' }).format(names);
  return filledIn(texts.lessonOf, { line, members, instructor });
}

function offerText(offer: Extract<MessageContent, { about: 'offer' }>, reader: Reader): MessageText {
  const texts: Texts = TEXTS[reader.locale];
  const school = reader.instructors.find(({ id }) => id === offer.instructorId)?.school;
  const until = `${dateOf(offer.expiresAt, reader)}, ${timeOf(offer.expiresAt, reader)}`;
  const place = placeOf(offer.holdId, reader);
  const template = school?.offerUrlTemplate;
  const ids = {
    waitlist_id: offer.waitlistId,
    hold_id: offer.holdId,
    instructor_id: offer.instructorId,
    member_id: offer.memberId,
  };
  const ofPlace = offer.classId ? 'waitlist_class' : 'waitlist_place';
  const of = offer.lessonId || offer.classId ? ofPlace : 'waitlist_offer';
  return {
    subject: filledIn(texts[`${of}_subject`], { date: dateOf(offer.date, reader) }),
    intro: filledIn(texts[`${of}_text`], { school: school?.name ?? '–', until }),
    lines: [[lineOf({ ...offer, memberIds: [offer.memberId] }, reader), ...(place ? [place] : [])].join(' – ')],
    action: template ? { label: texts[`${of}_action`], url: offerUrl(template, ids) } : null,
  };
}

function paymentText(
  kind: 'receipt' | 'refund',
  { amountCents, currency, bookingId: booking, paymentId: payment }: Extract<MessageContent, { about: 'payment' }>,
  locale: Locale,
): MessageText {
  const texts = TEXTS[locale];
  const amount = amountText(amountCents, currency, locale);
  return {
    subject: filledIn(texts[`${kind}_subject`], { amount }),
    intro: filledIn(texts[`${kind}_text`], { amount, booking, payment }),
    lines: [],
    action: null,
  };
}

/** An amount in minor units as the language writes it. */
function amountText(amountCents: number, currency: string, locale: Locale): string {
  const format = new Intl.NumberFormat(locale, { style: 'currency', currency });
  const digits = format.resolvedOptions().maximumFractionDigits ?? 2;
  return format.format(amountCents / 10 ** digits);
}

type Written = Pick<Reader, 'locale' | 'timezone'>;
const formats = new Map<string, Intl.DateTimeFormat>();

// Making a format takes a hundred times as long as using it.
function formatOf(options: Intl.DateTimeFormatOptions, { locale, timezone }: Written): Intl.DateTimeFormat {
  const key = `${locale} ${timezone} ${Object.keys(options).join()}`;
  const format = formats.get(key) ?? new Intl.DateTimeFormat(locale, { ...options, timeZone: timezone });
  formats.set(key, format);
  return format;
}

const dateOf = (instant: string, reader: Written): string =>
  formatOf({ dateStyle: 'full' }, reader).format(new Date(instant));

const timeOf = (instant: string, reader: Written): string =>
  formatOf({ timeStyle: 'short' }, reader).format(new Date(instant));

/** The name of the zone at that instant, as "Central European Summer Time". */
const zoneOf = (instant: string, reader: Written): string =>
  formatOf({ timeZoneName: 'long', hour: 'numeric' }, reader)
    .formatToParts(new Date(instant))
    .find(({ type }) => type === 'timeZoneName')!.value;
