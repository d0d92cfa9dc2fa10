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

/** Lock and busy list of one resource on one UTC day; `_id` is `<resource>:<YYYY-MM-DD>`. */
export interface Day {
  _id: string;
  busy: BusyElement[];
  /** Claims that were released here, latest last: a late push of theirs must miss. */
  gone: string[];
}

export const daySchema = new Schema<Day>(
  {
    _id: String,
    busy: [{ _id: false, s: Date, e: Date, c: String, h: String }],
    gone: [String],
  },
  { versionKey: false },
);
