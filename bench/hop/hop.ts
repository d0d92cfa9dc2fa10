import { cpuMs } from '../measuring/load.ts';
import { describePasses, figure } from '../measuring/report.ts';
import { measureInTurn, ratiosOf } from '../measuring/rounds.ts';
import type { Run } from '../stack/stack.ts';
import { BODY_BYTES } from './session.ts';
import { Sides } from './sides.ts';

const LONG = { rounds: 7, seconds: 5, warmUpRequests: 40_000 };
const SHORT = { rounds: 1, seconds: 0.4, warmUpRequests: 1, mostTurnedAway: 1 };

/**
 * Measures the cost of the gateway between a client and a service, against a minimal hand-written server.
 * @returns the figures as text.
 */
export async function hop(run: Run): Promise<string> {
  const sides = new Sides(run);
  run.log(`${BODY_BYTES} bytes from a responder in a process of its own; ${sides.where}`);
  await sides.startResponder();
  const [floor, routing, gateway] = [await sides.startFloor(), await sides.startRouting(), await sides.startGateway()];
  const passes = await measureInTurn([floor, routing, gateway], run.isShort ? SHORT : LONG, run.log);
  await sides.stop();
  const figures = (title: string, { name }: { name: string }, atLeast: number) => [
    title,
    figure('ratio by processor time', ratiosOf(passes, [floor.name, name], cpuMs), { atLeast }),
    figure(
      'ratio of requests/s',
      ratiosOf(passes, [name, floor.name], ({ requestsPerSecond }) => requestsPerSecond),
    ),
  ];
  return [
    describePasses('Hop: GET /v1/sessions/{id} through one process', passes),
    ...figures('Hop with routing only: nobody is authenticated or counted, nothing is logged', routing, 1.3),
    ...figures('Hop with all four policies and the log: request-id, authenticate, rate-limit, route', gateway, 1.1),
    '',
  ].join('\n');
}
