import { type Side, startFloorSide } from '../booking/sides.ts';
import type { Run, Stack } from '../booking/stack.ts';
import { fillStock, OTHER_REQUESTS } from '../cost/requests.ts';
import type { StockedSide } from '../cost/sides.ts';
import type { Subject } from '../measuring/load.ts';
import { describeFigure } from '../measuring/report.ts';
import { measureInTurn } from '../measuring/rounds.ts';

const TITLE = 'POST /v1/payments';
const TARGET = 0.5;
const PAY = OTHER_REQUESTS[TITLE]!;

export interface PaymentsPlan {
  rounds: number;
  /** Payments of a pass. */
  amount: number;
  connections: number;
  mostTurnedAway?: number;
}

/**
 * Measures payments, each of the whole price of a booking of its own, against one hand-written process with the same database
 * commands.
 * @returns the figure, for a person.
 */
export async function payments(run: Run, stack: Stack, ours: StockedSide, plan: PaymentsPlan): Promise<string> {
  const { rounds, amount, connections } = plan;
  const floor = await startFloorSide(run, stack, ours.dataset);
  const sides = [stocked(ours, floor), ours];
  const needed = (rounds + 1) * (amount + 2 * connections);
  for (const side of sides) await fillStock(side, needed, connections);
  run.log(TITLE);
  const subjects = sides.map((side): Subject => {
    const pids = side === ours ? () => ours.processes().flatMap(pidOf(ours)) : floor.pids;
    return { ...side, pids, amount, request: PAY.requestOf(side) };
  });
  const passes = await measureInTurn(subjects, { ...plan, seconds: 1, warmUpRequests: 1 }, run.log);
  await floor.stop();
  const [floorPasses, ownPasses] = subjects.map((subject) => ({ name: subject.name, passes: passes.get(subject)! }));
  return describeFigure({ title: TITLE, ours: ownPasses!, floor: floorPasses!, target: TARGET });
}

/** The floor, with bookings of its own to pay. */
function stocked({ stock, ...ours }: StockedSide, floor: Side): StockedSide {
  const own = { bookings: [], movable: [] };
  return { ...ours, ...floor, sessionIds: [], processes: () => [], services: [], stock: { ...stock, ...own } };
}

const pidOf =
  ({ services }: StockedSide) =>
  ({ name, pid }: { name: string; pid: number }) =>
    services.includes(name) ? [pid] : [];
