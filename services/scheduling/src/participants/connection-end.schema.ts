import { Schema } from 'mongoose';

/** Which plans of an account with a school are void: those of an earlier generation of their connection. */
export interface ConnectionEnd {
  /** School and account. */
  _id: string;
  readers: string[];
  schoolId: string;
  accountId: string;
  /** That of the connection, as of which this was stored. */
  generation: number;
  /** The last end; null where the connection never ended. */
  end: { generation: number; by: 'family' | 'school'; notify: boolean } | null;
  /** The members that the account has left out. */
  left: { memberId: string; generation: number; isQuiet?: boolean | undefined }[];
}

export const connectionEndSchema = new Schema<ConnectionEnd>(
  {
    _id: { type: String, required: true },
    readers: { type: [String], required: true },
    schoolId: { type: String, required: true },
    accountId: { type: String, required: true },
    generation: { type: Number, required: true },
    end: { type: Schema.Types.Mixed, default: null },
    left: [{ _id: false, memberId: String, generation: Number, isQuiet: Boolean }],
  },
  { versionKey: false },
);
