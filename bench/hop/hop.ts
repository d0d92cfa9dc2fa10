import type { Run } from '../booking/stack.ts';
import type { Subject } from '../measuring/load.ts';
import { describeFigure } from '../measuring/report.ts';
import { measureInTurn } from '../measuring/rounds.ts';
import { BODY_BYTES } from './session.ts';
import { Sides } from './sides.ts';

const LONG = { rounds: 7, seconds: 5, warmUpRequests: 40_000 };
const SHORT = { rounds: 1, seconds: 0.4, warmUpRequests: 1, mostTurnedAway: 1 };

/**
 * Measures what our gateway costs on the way to a service, against a minimal hand-written server.
 * @returns the figures, for a person.
 */
export async function hop(run: Run): Promise<string> {
  const sides = new Sides(run);
  run.log(`${BODY_BYTES} bytes from a responder in a process of its own; ${sides.where}`);
  await sides.startResponder();
  const floor = await sides.startFloor();
  const routing = await sides.startRouting();
  const gateway = await sides.startGateway();
  const passes = await measureInTurn([floor, routing, gateway], run.isShort ? SHORT : LONG, run.log);
  await sides.stop();
  const sideOf = (subject: Subject) => ({ name: subject.name, passes: passes.get(subject) ?? [] });
  const figure = (title: string, ours: Subject, target: number) =>
    describeFigure({ title, ours: sideOf(ours), floor: sideOf(floor), target, isPinned: true });
  return [
    figure('Hop with routing only: nobody is authenticated or counted, nothing is logged', routing, 1.4),
    figure('Hop with all four policies and the log: request-id, authenticate, rate-limit, route', gateway, 1.0),
  ].join('\n');
}
