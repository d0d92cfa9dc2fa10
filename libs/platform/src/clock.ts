/** Where stories take the time from; rules are handed it. */
export abstract class Clock {
  abstract now(): Date;
}

/** This machine's clock. */
export class SystemClock extends Clock {
  now(): Date {
    return new Date();
  }
}
