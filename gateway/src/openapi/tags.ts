/** The descriptions of the tags, in the order of the documentation. */
const TAGS: Readonly<Record<string, string>> = {
  sessions: 'A session is one lesson of a member with an instructor.',
  lessons: 'A lesson is what an instructor teaches at one time. Each of its places is a session.',
  classes: 'A class is a course: lessons on weekly dates, in which children enroll.',
  closures: 'Time in which a school gives no lessons.',
  substitutions: 'An instructor takes over the lessons of another one.',
  bookings: 'A booking holds the sessions that are bought together, for one or more members.',
  enrollments: 'An enrollment is the part of a member in a class: one booking of its lessons.',
  holds: 'A hold keeps times free for some minutes.',
  waitlist: 'Time that becomes free is offered to the first in line.',
  availability: 'Free times across instructors.',
  instructors: 'Instructors of swim schools, with schedule, service areas and reviews.',
  pools: 'The pools of swim schools.',
  members: 'A member is a swimmer of an account, with level and progress.',
  families: 'The families of a school, and what they owe it.',
  imports: 'Rows of families with their members, which a school brings along.',
  connections: 'A connection lets a school read and book members of an account.',
  payments: 'Payments for bookings, and their refunds.',
  'payment-methods': 'Cards of an account, as tokens of the payment processor.',
  credits: 'Makeup credits, which a school gives for lessons that did not take place.',
  events: 'Every change as an event: listed, streamed, or delivered by webhooks.',
  requests: 'What the keys and users of an account have requested, for seven days.',
  usage: 'How many requests the keys of an account made in each hour, against its limits.',
  'webhook-endpoints': 'URLs to which events are delivered, and their deliveries.',
  accounts: 'An account is a family, a club or a swim school.',
  me: 'The key of the request, and its account.',
  keys: 'API keys of an account.',
  messages: 'E-mails to an account.',
  'access-log': 'Who read personal data.',
  sandbox:
    'The clock of a test account, its reset, and what stands for banks and mail. Nothing of it exists for live keys.',
  service: 'Health of the service, its OpenAPI document, and webhooks that it receives.',
  webhooks: 'The requests that webhook endpoints receive.',
};

/** The tags of the document. Throws for a tag that no text describes. */
export function tagsOf(names: ReadonlySet<string>): { name: string; description: string }[] {
  const unknown = [...names].filter((name) => !(name in TAGS));
  if (unknown.length > 0) throw new Error(`Describe the tags ${unknown.join(', ')} in tags.ts.`);
  return Object.entries(TAGS).flatMap(([name, description]) => (names.has(name) ? [{ name, description }] : []));
}
