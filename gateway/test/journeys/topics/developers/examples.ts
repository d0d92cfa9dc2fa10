import { existsSync, readFileSync } from 'node:fs';
import { readFile, writeFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { beforeAll, expect, it } from '@jest/globals';
import type { ErrorBody, Reason } from '@swim/contracts';
import { operationIdOf } from '../../../../src/openapi/document.js';
import { nameOfOperation } from '../../../../src/openapi/schemas.js';
import { paramsOf } from '../../../../src/router.js';
import { ROUTES, type Route, WEBHOOKS } from '../../../../src/routes.js';
import { offerClasses } from '../../examples/classes.js';
import { deliver, followEvents } from '../../examples/delivery.js';
import { connect, importFamilies, makeFamily } from '../../examples/families.js';
import { offerLessons } from '../../examples/group-lessons.js';
import { reserve, schedule, subscribe } from '../../examples/lessons.js';
import { messageFaults } from '../../examples/message-rules.js';
import { account, book, exceedMethods, noticeOfStripe, pay } from '../../examples/money.js';
import { administer, enrol, teach } from '../../examples/people.js';
import type { RecordedAnswer, RecordedExamples } from '../../examples/recording.js';
import { end, pass } from '../../examples/sandbox.js';
import { Scene } from '../../examples/scene.js';
import { missUnknown } from '../../examples/unknown.js';
import { journey, stack } from '../../fixtures/shared-stack.js';

const ROOT = fileURLToPath(new URL('../../../../../', import.meta.url));
const FILE = `${ROOT}docs/api-examples.json`;

/** Reasons that only concurrent requests meet, and the specs in which they do. */
const OF_RACES: Partial<Record<Reason, string>> = {
  change_in_progress: 'services/payment/test/refunds.spec.ts',
  busy_retry: 'services/scheduling/test/calendar/day-locks.spec.ts',
  advance_in_progress: 'services/people/test/lifecycle/sandbox-clock.spec.ts',
  reset_in_progress: 'services/people/test/lifecycle/sandbox-reset.spec.ts',
  replay_in_progress: 'services/notification/test/webhooks/webhook-replays.spec.ts',
};
/** The account of a key is not found only while it is being erased. */
const OF_ERASED_ACCOUNTS = 'services/people/test/lifecycle/account-erasure.spec.ts';
/** Those that take a hundred refunds of one payment, or a thousand instructors. */
const OF_REFUNDS = 'services/payment/test/refunds.spec.ts';
const OF_MATCHES = 'services/people/test/instructors/teaching-hours.spec.ts';
const OF_INVITATIONS = 'services/people/test/families/invitations.spec.ts';

/** Those that take ten imports, or ten thousand rows. */
const OF_IMPORTS = 'services/people/test/imports/imports.spec.ts';

/** Those of lessons that are completed, or of bookings without credits; and of a closure that is still running. */
const OF_LESSONS = 'services/scheduling/test/lessons/lesson-cancellation.spec.ts';
const OF_ENDED: Reason[] = ['invalid_state', 'credits_not_offered'];
/** Those that an enrollment has from its booking. */
const OF_BOOKINGS: Partial<Record<Reason, string>> = {
  outside_availability: 'services/scheduling/test/lessons/places.spec.ts',
  credit_of_other_school: 'services/booking/test/money/credits.spec.ts',
};
/** That of a session that had begun when its connection ended. */
const OF_CONNECTIONS = 'services/scheduling/test/sessions/connections.spec.ts';
const OF_CLOSURES = 'services/scheduling/test/closures/closures.spec.ts';

/** The spec that provokes a reason of a route where no example does; undefined where one has to. */
function specInstead({ path }: Route, reason: Reason): string | undefined {
  if (reason === 'limit_reached' && path.endsWith('/refunds')) return OF_REFUNDS;
  if (reason === 'limit_reached' && path.startsWith('/v1/imports')) return OF_IMPORTS;
  if (reason === 'too_many_matches') return OF_MATCHES;
  if (reason === 'limit_reached' && path.endsWith('/invite')) return OF_INVITATIONS;
  if (path.endsWith('/lessons/{lesson_id}/cancel') && OF_ENDED.includes(reason)) return OF_LESSONS;
  if (path.endsWith('/enrollments') && reason in OF_BOOKINGS) return OF_BOOKINGS[reason];
  if (path.endsWith('/end') && reason === 'credits_not_offered') return OF_LESSONS;
  if (path.endsWith('/closures/{closure_id}') && reason === 'invalid_state') return OF_CLOSURES;
  if (path.endsWith('/sessions/{session_id}') && reason === 'connection_ended') return OF_CONNECTIONS;
  const isOfAccount = paramsOf(path).every((name) => name === 'account_id');
  if (reason === 'resource_not_found' && isOfAccount) return OF_ERASED_ACCOUNTS;
  return OF_RACES[reason];
}

const STEPS = [
  administer,
  teach,
  enrol,
  connect,
  makeFamily,
  importFamilies,
  schedule,
  offerLessons,
  offerClasses,
  reserve,
  book,
  subscribe,
  pay,
  exceedMethods,
  account,
  noticeOfStripe,
  followEvents,
  deliver,
  pass,
  end,
  missUnknown,
];

journey('the recorded examples', () => {
  let examples: RecordedExamples;
  beforeAll(async () => {
    const scene = await Scene.open(stack);
    for (const step of STEPS) await step(scene);
    const health = await fetch(`${stack.origin}/v1/health`);
    scene.recording.addAnswer('health', {}, (await health.json()) as RecordedAnswer);
    ({ examples } = scene.recording);
    if (process.env.RECORD_EXAMPLES) await writeFile(FILE, `${JSON.stringify(examples, null, 1)}\n`);
  });

  it('are what the product answers: where they differ, `npm run examples` records them anew', async () => {
    expect(examples).toEqual(JSON.parse(await readFile(FILE, 'utf8')));
  });

  it('contain the success of every operation, and every reason that its contract declares', () => {
    const missing = ROUTES.flatMap((route) => {
      const { responses = {}, errors = {} } = examples[operationIdOf(route)] ?? {};
      const reasons = route.operation.errors.filter((reason) => !errors[reason] && !specInstead(route, reason));
      const { status } = route;
      return [...(responses[status] === undefined ? [status] : []), ...reasons].map(
        (each) => `${route.method} ${route.path}: ${each}`,
      );
    });
    expect(missing).toEqual([]);
    expect(examples.health?.responses).toMatchObject({ 200: { success: true, data: { status: 'ok' } } });
  });

  it('contain each further representation of a success, the request of each webhook of a processor, and its reasons', () => {
    const withCsv = ROUTES.filter(({ hasCsv }) => hasCsv).map(operationIdOf);
    expect(withCsv).not.toEqual([]);
    for (const name of withCsv) expect(examples[name]!.representations).toHaveProperty(['text/csv']);
    for (const { operation, signatureHeader } of WEBHOOKS) {
      const { request, responses, errors } = examples[nameOfOperation(operation)]!;
      expect(request.body).toBeDefined();
      expect(request.header).toHaveProperty([signatureHeader]);
      expect(Object.keys(responses)).toEqual(['200']);
      expect(Object.keys(errors)).toEqual(operation.errors);
    }
  });

  it('leave out only reasons that another spec provokes', () => {
    for (const route of ROUTES)
      for (const reason of route.operation.errors) {
        const spec = specInstead(route, reason);
        if (!spec) continue;
        expect([spec, existsSync(ROOT + spec)]).toEqual([spec, true]);
        expect(readFileSync(ROOT + spec, 'utf8')).toContain(reason);
      }
  });

  it('have errors whose messages say what is allowed, and name the field', () => {
    const faults = Object.entries(examples).flatMap(([operation, { errors }]) =>
      Object.entries(errors).flatMap(([reason, { answer }]) => {
        const error = answer.error as ErrorBody;
        return messageFaults(error).map((fault) => `${operation} ${reason}: ${fault}: ${error.message}`);
      }),
    );
    expect(faults).toEqual([]);
  });
});
