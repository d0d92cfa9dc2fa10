import type { IncomingHttpHeaders, IncomingMessage } from 'node:http';
import { PassThrough } from 'node:stream';
import { describe, expect, it } from '@jest/globals';
import { ClientGone, hasBody, MAX_BODY_BYTES, readRawBody } from './raw-body.js';

const JSON_TYPE = { 'content-type': 'application/json' };
const request = (headers: IncomingHttpHeaders, ...chunks: (string | Buffer)[]): IncomingMessage => {
  const stream = new PassThrough({ highWaterMark: MAX_BODY_BYTES * 2 });
  for (const chunk of chunks) stream.write(chunk);
  stream.end();
  return Object.assign(stream, { headers }) as unknown as IncomingMessage;
};
const sized = (body: string, headers: IncomingHttpHeaders = JSON_TYPE) =>
  request({ 'content-length': String(Buffer.byteLength(body)), ...headers }, body);
const chunked = (headers: IncomingHttpHeaders, ...chunks: (string | Buffer)[]) =>
  request({ 'transfer-encoding': 'chunked', ...headers }, ...chunks);
const reasonOf = (work: Promise<unknown>) =>
  work.then(
    () => 'read',
    (error: { reason?: string }) => error.reason ?? error.constructor.name,
  );

describe('reading a body off the wire', () => {
  it('gives its bytes, in one piece or many', async () => {
    expect((await readRawBody(sized('{"a":1}'))).toString()).toBe('{"a":1}');
    expect((await readRawBody(chunked(JSON_TYPE, '{"a"', ':1', '}'))).toString()).toBe('{"a":1}');
  });

  it('is empty where there is none, and needs no content type then', async () => {
    for (const none of [request({}), request({ 'content-length': '0' }), chunked({})])
      expect((await readRawBody(none)).length).toBe(0);
    expect(hasBody(request({ 'content-length': '0' }))).toBe(false);
    expect(hasBody(chunked({}))).toBe(true);
  });

  it('takes JSON in UTF-8 and no other type', async () => {
    for (const type of [
      'application/json',
      'application/json; charset=utf-8',
      'Application/JSON;charset="UTF-8"',
      'application/json ; charset=utf-8 ',
      'application/json;charset=utf8',
      'application/json;',
      'application/json; odata.metadata=none; charset=UTF-8',
    ]) {
      expect([type, await reasonOf(readRawBody(sized('{}', { 'content-type': type })))]).toEqual([type, 'read']);
    }
    for (const type of [
      'text/plain',
      'application/json; charset=latin1',
      'application/json; version=1; charset="utf-16"',
      'application/jsonp',
      'application/x-www-form-urlencoded',
      'application/merge-patch+json',
      '',
    ]) {
      expect([type, await reasonOf(readRawBody(sized('{}', { 'content-type': type })))]).toEqual([
        type,
        'unsupported_media_type',
      ]);
    }
    expect(await reasonOf(readRawBody(request({ 'content-length': '2' }, '{}')))).toBe('unsupported_media_type');
    expect(await reasonOf(readRawBody(chunked({}, '{}')))).toBe('unsupported_media_type');
    expect(await reasonOf(readRawBody(sized('{}', { ...JSON_TYPE, 'content-encoding': 'gzip' })))).toBe(
      'unsupported_media_type',
    );
  });

  it('takes 256 KiB and not one byte more, with or without Content-Length', async () => {
    const most = ' '.repeat(MAX_BODY_BYTES);
    expect((await readRawBody(sized(most))).length).toBe(MAX_BODY_BYTES);
    expect((await readRawBody(chunked(JSON_TYPE, most))).length).toBe(MAX_BODY_BYTES);
    expect(await reasonOf(readRawBody(request({ 'content-length': String(MAX_BODY_BYTES + 1), ...JSON_TYPE })))).toBe(
      'body_too_large',
    );
    expect(await reasonOf(readRawBody(chunked(JSON_TYPE, most, ' ')))).toBe('body_too_large');
  });

  it('rejects when the client disconnects', async () => {
    const gone = request({ 'content-length': '10', ...JSON_TYPE });
    const reading = readRawBody(
      Object.assign(new PassThrough(), { headers: gone.headers }) as unknown as IncomingMessage,
    );
    expect(reading).toBeInstanceOf(Promise);
    const stream = Object.assign(new PassThrough(), { headers: gone.headers });
    const given = reasonOf(readRawBody(stream as unknown as IncomingMessage));
    stream.destroy();
    expect(await given).toBe(ClientGone.name);
  });
});
