import { MessageProxy, OP_MSG } from '@swim/testing';
import { BSON } from 'mongodb';

const HEADER_BYTES = 16;
const FLAG_BYTES = 4;
// The drivers send these commands by themselves.
const NOT_WORK = new Set([
  'hello',
  'ismaster',
  'isMaster',
  'ping',
  'endSessions',
  'buildInfo',
  'getMore',
  'killCursors',
]);

/**
 * Starts a proxy between a database and its clients that counts each command.
 * @param mongodbUri - the URI of a single server; clients of a cluster would bypass the proxy.
 * @returns `uri` for the clients; `take` returns the number of commands since it was last called by
 *   `<database>/<command> <collection>`.
 */
export async function countCommands(
  mongodbUri: string,
): Promise<{ uri: string; take: () => Map<string, number>; close: () => void }> {
  let counts = new Map<string, number>();
  const note = (command: string) => counts.set(command, (counts.get(command) ?? 0) + 1);
  const proxy = await MessageProxy.before(mongodbUri, ({ forward }) => (message) => {
    readCommand(message, note);
    forward(message);
  });
  const take = () => {
    const taken = counts;
    counts = new Map();
    return taken;
  };
  return { uri: proxy.uri, take, close: () => void proxy.close() };
}

function readCommand(message: Buffer, note: (command: string) => void) {
  if (message.readInt32LE(12) !== OP_MSG) return;
  let at = HEADER_BYTES + FLAG_BYTES;
  let command: BSON.Document = {};
  let documents = 0;
  while (at < message.length) {
    const isBody = message[at] === 0;
    const length = message.readInt32LE(at + 1);
    const section = message.subarray(at + 1, at + 1 + length);
    if (isBody) command = BSON.deserialize(section);
    else documents += countDocuments(section);
    at += 1 + length;
  }
  const [name = ''] = Object.keys(command);
  const many = command.documents?.length ?? documents;
  if (NOT_WORK.has(name)) return;
  note(`${command.$db}/${name} ${command[name]}${name === 'insert' && many > 1 ? ' (several)' : ''}`);
}

/** A document sequence consists of its length, its name, and BSON documents one after the other. */
function countDocuments(section: Buffer) {
  let count = 0;
  for (let at = section.indexOf(0, 4) + 1; at < section.length; at += section.readInt32LE(at)) count += 1;
  return count;
}
