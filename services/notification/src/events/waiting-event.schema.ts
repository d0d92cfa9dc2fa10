import { Schema } from 'mongoose';

/** An event that came before the one before it, kept until that one is stored. */
export interface WaitingEvent {
  /** `<object id>.<n>`: so the one before finds it by its id. */
  _id: string;
  /** JSON of the event as it came off the bus. */
  event: string;
  /** Until when the one before is waited for; then it is stored without. */
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

waitingEventSchema.index({ until: 1 });
