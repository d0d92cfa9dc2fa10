import { Schema } from 'mongoose';

/** Taken time on a day document; short names, since a day can have hundreds. */
export interface BusyElement {
  /** Start. */
  s: Date;
  /** End, exclusive. */
  e: Date;
  /** Id of the claim that took it. */
  c: string;
  /** The lesson or the session that holds it. */
  h: string;
}

/** Closed time: nothing is taken in it. */
export interface ClosedTime {
  from: Date;
  /** Exclusive. */
  to: Date;
  /** Id of the closure. */
  id: string;
}

/** Lock and busy list of one resource on one UTC day; `_id` is `<resource>:<YYYY-MM-DD>`. */
export interface Day {
  _id: string;
  busy: BusyElement[];
  /** Claims that were released here, latest last: a late push of theirs must miss. */
  gone: string[];
  /** The closures that touch the day or the lesson. */
  closed?: ClosedTime[];
  /** When the free places of a lesson began to be kept for those who wait for one; absent from days. */
  keptAt?: Date | undefined;
}

/** A schema's field for closed time. */
export const closedField = {
  type: [{ _id: false, from: Date, to: Date, id: String }],
  default: undefined,
};

export const daySchema = new Schema<Day>(
  {
    _id: String,
    busy: [{ _id: false, s: Date, e: Date, c: String, h: String }],
    gone: [String],
    closed: closedField,
  },
  { versionKey: false },
);
