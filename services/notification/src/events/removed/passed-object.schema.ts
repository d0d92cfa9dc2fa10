import { Schema } from 'mongoose';

/**
 * The position of an object's events where no stored event shows it: because the audience was empty, or the events were
 * purged. Without it the object's next event would wait for its predecessor forever.
 */
export interface PassedObject {
  /** Id of the object. */
  _id: string;
  /** All its events up to this ordinal have been consumed. */
  n: number;
}

export const passedObjectSchema = new Schema<PassedObject>(
  { _id: { type: String, required: true }, n: { type: Number, required: true } },
  { versionKey: false },
);
