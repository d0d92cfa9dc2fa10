import type { ChangingRequest, Subject } from '../measuring/load.ts';
import { describeFigure } from '../measuring/report.ts';
import { measureInTurn } from '../measuring/rounds.ts';
import { makeDataset } from './dataset.ts';
import { bookingRequest, sessionRequest } from './requests.ts';
import { type Side, stackSide, startFloorSide } from './sides.ts';
import type { Run } from './stack.ts';

const LONG: Plan = { pairs: 64, rounds: 5, seconds: 10, warmUpRequests: { POST: 1_000, GET: 10_000 } };
// Fewer connections than the targets refer to: the machine may be busy.
const SHORT: Plan = {
  pairs: 8,
  rounds: 1,
  seconds: 0.5,
  connections: 8,
  warmUpRequests: { POST: 1, GET: 1 },
  mostTurnedAway: 1,
};

interface Plan {
  pairs: number;
  rounds: number;
  seconds: number;
  connections?: number;
  warmUpRequests: { POST: number; GET: number };
  mostTurnedAway?: number;
}

/**
 * Measures a booking, and a session that is looked up, against one hand-written process with the same database commands.
 * @returns the figures, for a person.
 */
export async function booking(run: Run): Promise<string> {
  const plan = run.isShort ? SHORT : LONG;
  const stack = await run.stack();
  const dataset = await makeDataset(stack, plan.pairs);
  const floor = await startFloorSide(run, stack, dataset);
  const sides: [Side, Side] = [stackSide(run, stack, dataset), floor];
  run.log(`${plan.pairs} instructors and members; ${sides.map(({ name }) => name).join(' against ')}`);
  const posting = (side: Side) => bookingRequest(side, dataset);
  const getting = (side: Side) => sessionRequest(side, dataset);
  const post = await measure(run, plan, sides, { title: 'POST /v1/bookings', target: 0.5, requestOf: posting });
  const get = await measure(run, plan, sides, { title: 'GET /v1/sessions/{id}', target: 0.7, requestOf: getting });
  await floor.stop();
  return [get, post].join('\n');
}

interface Figure {
  title: string;
  target: number;
  requestOf: (side: Side) => ChangingRequest | Promise<ChangingRequest>;
}

async function measure({ log }: Run, plan: Plan, sides: [Side, Side], { title, target, requestOf }: Figure) {
  const subjectOf = async (side: Side): Promise<Subject> => ({ ...side, request: await requestOf(side) });
  const [ours, floor] = [await subjectOf(sides[0]), await subjectOf(sides[1])];
  log(title);
  const warmUpRequests = plan.warmUpRequests[ours.request.method === 'GET' ? 'GET' : 'POST'];
  const passes = await measureInTurn([floor, ours], { ...plan, warmUpRequests }, log);
  const sideOf = (subject: Subject) => ({ name: subject.name, passes: passes.get(subject) ?? [] });
  return describeFigure({ title, ours: sideOf(ours), floor: sideOf(floor), target });
}
