import type { Booking, Operation, Principal } from '@swim/contracts';
import type { Services } from './services.js';

/** An operation with its input. */
export interface Request {
  operation: Operation;
  input: unknown;
}

/** The family and the school of a history, and how they send requests. */
export interface Player {
  readonly services: Services;
  readonly family: Principal;
  readonly school: Principal;
  readonly bookings: readonly Booking[];
  /** Repeats a request under one key until it is answered; null when it is rejected. */
  request(request: Request, by: Principal): Promise<Record<string, unknown> | null>;
  /** Makes a booking of the family. */
  book(request: Request): Promise<void>;
  newMembers(count: number): string[];
  /** A method of the family with this token of the sandbox. */
  cardOf(token: string): Promise<string>;
}

export const HOUR_MS = 3_600_000;

/** One of these items; none only where there are none. */
export const at = <T>(items: readonly T[], index: number): T | undefined => items[index % Math.max(items.length, 1)];
