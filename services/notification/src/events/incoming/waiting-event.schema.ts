import { Schema } from 'mongoose';

/** An event that arrived before its predecessor, kept until that is stored. */
export interface WaitingEvent {
  /** `<object id>.<n>` */
  _id: string;
  /** JSON of the event as published. */
  event: string;
  /** When it is stored without its predecessor. */
  until: Date;
}

export const waitingEventSchema = new Schema<WaitingEvent>(
  {
    _id: { type: String, required: true },
    event: { type: String, required: true },
    until: { type: Date, required: true },
  },
  { versionKey: false },
);
