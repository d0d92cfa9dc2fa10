import mongoose, { type mongo } from 'mongoose';
import { type HandleMessages, MessageProxy, OP_MSG } from '../../../testing/src/faults/message-proxy.js';

const { BSON, MongoClient } = mongoose.mongo;
const HEADER_BYTES = 16;
const FIRST_SECTION_AT = HEADER_BYTES + 4;
const WIRE_VERSION_KEY = Buffer.from('\u0010maxWireVersion\0', 'latin1');
const OF_MONGODB_8 = 25;

interface BulkWrite {
  bulkWrite: number;
  ops: { update: number; filter: mongo.Document; updateMods: mongo.Document }[];
  nsInfo: { ns: string }[];
}

/**
 * A proxy that gives a database without it the command `bulkWrite` of MongoDB 8, for updates: it executes them one by one and
 * answers each as the manual says. All else passes.
 */
export class BulkWriteProxy {
  /** How many commands it has executed. */
  commands = 0;
  private proxy!: MessageProxy;

  private constructor(private readonly database: mongo.MongoClient) {}

  static async before(mongodbUri: string): Promise<BulkWriteProxy> {
    const own = new BulkWriteProxy(await MongoClient.connect(mongodbUri, { maxPoolSize: 4 }));
    const handle: HandleMessages =
      ({ forward, answer }) =>
      (message) => {
        const command = bulkWriteIn(message);
        if (command) void own.execute(command).then((reply) => answer(replyTo(message, reply)));
        else forward(message);
      };
    own.proxy = await MessageProxy.before(mongodbUri, handle, withWireVersion);
    return own;
  }

  get uri(): string {
    return this.proxy.uri;
  }

  async close(): Promise<void> {
    await this.proxy.close();
    await this.database.close();
  }

  private async execute({ ops, nsInfo }: BulkWrite): Promise<mongo.Document> {
    this.commands++;
    const firstBatch: mongo.Document[] = [];
    for (const [idx, op] of ops.entries()) firstBatch.push({ idx, ...(await this.update(op, nsInfo[op.update]!.ns)) });
    const sum = (field: string) => firstBatch.reduce((total, each) => total + (each[field] ?? 0), 0);
    const none = { nInserted: 0, nUpserted: 0, nDeleted: 0 };
    const nErrors = firstBatch.filter(({ ok }) => ok === 0).length;
    const cursor = { id: BSON.Long.ZERO, firstBatch, ns: 'admin.$cmd.bulkWrite' };
    return { ok: 1, cursor, nErrors, nMatched: sum('n'), nModified: sum('nModified'), ...none };
  }

  private async update({ filter, updateMods }: BulkWrite['ops'][number], ns: string): Promise<mongo.Document> {
    const [database, collection] = [ns.slice(0, ns.indexOf('.')), ns.slice(ns.indexOf('.') + 1)];
    try {
      const result = await this.database.db(database).collection(collection).updateOne(filter, updateMods);
      return { ok: 1, n: result.matchedCount, nModified: result.modifiedCount };
    } catch (error) {
      const { code, message } = error as mongo.MongoServerError;
      return { ok: 0, code, errmsg: message, n: 0, nModified: 0 };
    }
  }
}

function withWireVersion(bytes: Buffer): Buffer {
  const at = bytes.indexOf(WIRE_VERSION_KEY);
  if (at !== -1) bytes.writeInt32LE(OF_MONGODB_8, at + WIRE_VERSION_KEY.length);
  return bytes;
}

const documentAt = (message: Buffer, at: number): mongo.Document =>
  BSON.deserialize(message.subarray(at, at + message.readInt32LE(at)));

/** The command of a message: its body, and the documents of its further sections. Null for any other command. */
function bulkWriteIn(message: Buffer): BulkWrite | null {
  if (message.readInt32LE(12) !== OP_MSG) return null;
  const command: mongo.Document = {};
  for (let at = FIRST_SECTION_AT; at < message.length; ) {
    const [kind, start] = [message[at], at + 1];
    const end = start + message.readInt32LE(start);
    if (kind === 0) Object.assign(command, documentAt(message, start));
    else {
      const nameEnd = message.indexOf(0, start + 4);
      const documents: mongo.Document[] = [];
      for (let next = nameEnd + 1; next < end; next += message.readInt32LE(next))
        documents.push(documentAt(message, next));
      command[message.toString('latin1', start + 4, nameEnd)] = documents;
    }
    at = end;
  }
  return 'bulkWrite' in command ? (command as BulkWrite) : null;
}

function replyTo(message: Buffer, reply: mongo.Document): Buffer {
  const body = BSON.serialize(reply);
  const head = Buffer.alloc(FIRST_SECTION_AT + 1);
  head.writeInt32LE(head.length + body.length, 0);
  head.writeInt32LE(message.readInt32LE(4), 8);
  head.writeInt32LE(OP_MSG, 12);
  return Buffer.concat([head, body]);
}
