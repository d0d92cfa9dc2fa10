import { type Difference, inputDifferences, outputDifferences } from './schema.rules.ts';
import type { Collection, Snapshot } from './snapshot.ts';

/** What a version does that another one running beside it cannot stand, or stands in one order alone. */
export interface Finding {
  readonly level: Difference['level'];
  /** The operation, event, stream or collection. */
  readonly where: string;
  readonly text: string;
}

const findingOf =
  (where: string, what: string) =>
  ({ level, field, text }: Difference): Finding => ({ level, where, text: `${what}${field && ` ${field}`} ${text}` });

const broken = (where: string, text: string): Finding => ({ level: 'break', where, text });

/** Hands each entry of BASE, with that of HEAD, to `compare`; one that HEAD lacks is a break. */
function compareEach<T>(
  base: Record<string, T>,
  head: Record<string, T>,
  gone: string,
  compare: (was: T, is: T, name: string) => Finding[],
): Finding[] {
  return Object.entries(base).flatMap(([name, was]) => {
    const is = head[name];
    return is === undefined ? [broken(name, gone)] : compare(was, is, name);
  });
}

function operations(base: Snapshot, head: Snapshot): Finding[] {
  return compareEach(base.operations, head.operations, 'is removed: processes of BASE request it', (was, is, name) => {
    const lost = was.callers.filter((caller) => !is.callers.includes(caller));
    const differences = [
      ...inputDifferences(was.input, is.input).map(findingOf(name, 'request')),
      ...outputDifferences(was.output, is.output).map(findingOf(name, 'answer')),
    ];
    // What only the gateway requests, clients send and read: after the update.
    const isInternal = is.callers.some((caller) => caller !== 'gateway');
    return [
      ...(was.kind === is.kind ? [] : [broken(name, `is a ${is.kind}, and was a ${was.kind}`)]),
      ...lost.map((caller) => broken(name, `may not be requested by ${caller} any more, which does so in BASE`)),
      ...differences.filter(({ level }) => level === 'break' || isInternal),
    ];
  });
}

/** What services of HEAD request and those of BASE do not serve, or NATS does not permit with the permissions of BASE. */
function newRequests(base: Snapshot, head: Snapshot): Finding[] {
  return Object.entries(head.operations).flatMap(([where, { callers }]): Finding[] => {
    const was = base.operations[where];
    const added = callers.filter((caller) => caller !== 'gateway' && !was?.callers.includes(caller));
    if (added.length === 0) return [];
    const first = was ? 'NATS gets its new permissions' : 'its service is replaced';
    return [{ level: 'order', where, text: `is newly requested by ${added.join(', ')}: ${first} before` }];
  });
}

const events = (base: Snapshot, head: Snapshot): Finding[] =>
  compareEach(base.events, head.events, 'is removed: services of BASE consume it', (was, is, name) => [
    ...(was.service === is.service ? [] : [broken(name, `is published by ${is.service}, and was by ${was.service}`)]),
    ...outputDifferences(was.object, is.object)
      .filter(({ level }) => level === 'break')
      .map(findingOf(name, 'event')),
  ]);

/** Whether a publisher may put both types, of one object, into one message, which has the subject of its first event. */
function mayShare(one: string, other: string, { events: all, subscriptions: consumed }: Snapshot): boolean {
  const isConsumedAlike = Object.values(consumed).every(
    (types) => types.includes('*') || types.includes(one) === types.includes(other),
  );
  const kindOf = (type: string) => all[type]?.object.properties?.object?.const;
  return one !== other && kindOf(one) === kindOf(other) && isConsumedAlike;
}

function subscriptions(base: Snapshot, head: Snapshot): Finding[] {
  return Object.entries(head.subscriptions).flatMap(([service, types]) => {
    const former = base.subscriptions[service] ?? [];
    if (types.includes('*') || former.includes('*')) return [];
    const hidden = types.flatMap((type) => {
      const others = Object.keys(base.events).filter(
        (other) => !former.includes(type) && !types.includes(other) && mayShare(type, other, base),
      );
      const text = `consumes ${type}, which BASE may publish in one message with ${others.join(', ')}: consume these too`;
      return others.length > 0 ? [broken(service, text)] : [];
    });
    const lost = former.filter((type) => !types.includes(type));
    return [...hidden, ...lost.map((type) => broken(service, `does not consume ${type} any more, as BASE does`))];
  });
}

const settings = (base: Record<string, Record<string, unknown>>, head: typeof base): Finding[] =>
  compareEach(base, head, 'is removed or renamed: processes of BASE use it', (was, is, name) =>
    Object.keys(was)
      .filter((key) => JSON.stringify(was[key]) !== JSON.stringify(is[key]))
      .map((key) => broken(name, `${key} is ${JSON.stringify(is[key])}, and was ${JSON.stringify(was[key])}`)),
  );

function fields(was: Collection, is: Collection, where: string): Finding[] {
  const gone = Object.keys(was.fields).filter((name) => !is.fields[name] && was.fields[name]!.isRequired);
  const changed = Object.entries(is.fields).flatMap(([name, field]) => {
    const former = was.fields[name];
    if (!former) {
      const isAbsent = field.isRequired && !field.hasDefault;
      return isAbsent ? [broken(where, `${name} is required: documents that BASE writes lack it`)] : [];
    }
    const lost = (former.values ?? []).filter((value) => field.values && !field.values.includes(value));
    return [
      ...(former.type === field.type ? [] : [broken(where, `${name} is a ${field.type}, and was a ${former.type}`)]),
      ...lost.map((value) => broken(where, `${name} may not be ${value} any more, which BASE stores`)),
    ];
  });
  return [...gone.map((name) => broken(where, `${name} is removed, which BASE requires`)), ...changed];
}

function uniqueIndexes(was: Collection, is: Collection, where: string): Finding[] {
  return Object.entries(is.unique)
    .filter(([keys, options]) => was.unique[keys] !== options)
    .map(([keys]) =>
      broken(
        where,
        `the unique index ${keys} is new or changed: what BASE writes may violate it, and none is replaced`,
      ),
    );
}

const collections = (base: Snapshot, head: Snapshot): Finding[] =>
  compareEach(
    base.collections,
    head.collections,
    'is removed or renamed: BASE stores documents in it',
    (was, is, name) => [...fields(was, is, name), ...uniqueIndexes(was, is, name)],
  );

/** What keeps processes of BASE and of HEAD from running side by side. */
export const findingsOf = (base: Snapshot, head: Snapshot): Finding[] => [
  ...operations(base, head),
  ...newRequests(base, head),
  ...events(base, head),
  ...subscriptions(base, head),
  ...settings(base.streams, head.streams),
  ...settings(base.consumers, head.consumers),
  ...collections(base, head),
];
