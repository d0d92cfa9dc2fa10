import { Schema } from 'mongoose';

/**
 * How far the events of an object have been heard, where no stored event says so: because nobody was to be told, or because
 * the events are past their retention. Without it the object's next event would wait for ever for the one before.
 */
export interface PassedObject {
  /** Id of the object. */
  _id: string;
  /** All its events up to this ordinal have been heard. */
  n: number;
}

export const passedObjectSchema = new Schema<PassedObject>(
  { _id: { type: String, required: true }, n: { type: Number, required: true } },
  { versionKey: false },
);
