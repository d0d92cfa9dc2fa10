import { describeFigure } from '../measuring/report.mjs';
import { measureInTurn } from '../measuring/rounds.mjs';
import { makeDataset } from './dataset.mjs';
import { bookingRequest, sessionRequest } from './requests.mjs';
import { stackSide, startFloorSide } from './sides.mjs';

const LONG = { pairs: 64, rounds: 5, seconds: 10, warmUpRequests: { POST: 1_000, GET: 10_000 } };
// Fewer connections than the targets refer to: the machine may be busy.
const SHORT = {
  pairs: 8,
  rounds: 1,
  seconds: 0.5,
  connections: 8,
  warmUpRequests: { POST: 1, GET: 1 },
  mostTurnedAway: 1,
};

/**
 * Measures a booking, and a session that is looked up, against one hand-written process with the same database commands.
 * @param {import('../run.mjs').Run} run
 * @returns {Promise<string>} the figures, for a person.
 */
export async function booking(run) {
  const plan = run.isShort ? SHORT : LONG;
  const stack = await run.stack();
  const dataset = await makeDataset(stack, plan.pairs);
  const floor = await startFloorSide(run, stack, dataset);
  const sides = [stackSide(run, stack, dataset), floor];
  run.log(`${plan.pairs} instructors and members; ${sides.map(({ name }) => name).join(' against ')}`);
  const posting = (side) => bookingRequest(side, dataset);
  const getting = (side) => sessionRequest(side, dataset);
  const post = await measure(run, plan, sides, { title: 'POST /v1/bookings', target: 0.5, requestOf: posting });
  const get = await measure(run, plan, sides, { title: 'GET /v1/sessions/{id}', target: 0.7, requestOf: getting });
  await floor.stop();
  return [get, post].join('\n');
}

async function measure({ log }, plan, sides, { title, target, requestOf }) {
  const [ours, floor] = await Promise.all(sides.map(async (side) => ({ ...side, request: await requestOf(side) })));
  log(title);
  const warmUpRequests = plan.warmUpRequests[ours.request.method];
  const passes = await measureInTurn([floor, ours], { ...plan, warmUpRequests }, log);
  const sideOf = (subject) => ({ name: subject.name, passes: passes.get(subject) });
  return describeFigure({ title, ours: sideOf(ours), floor: sideOf(floor), target });
}
