import { describe, expect, it } from '@jest/globals';
import { errorEnvelope, successEnvelope } from './envelope.js';

const TIME = '[0-9-]{10}T[0-9:]{8}\\.\\d{3}Z';

describe('the success envelope', () => {
  it('stands around the very bytes of the data', () => {
    const data = Buffer.from('{ "b":1,"a" : "ü🏊" }');
    const text = successEnvelope(data, null, { requestId: 'req_1' }).toString();
    expect(text).toMatch(
      new RegExp(
        `^\\{"success":true,"data":\\{ "b":1,"a" : "ü🏊" \\},"meta":\\{"timestamp":"${TIME}","request_id":"req_1"\\}\\}$`,
      ),
    );
  });

  it('has the pagination of a list beside the data', () => {
    const pagination = '{"has_more":false,"next_cursor":null,"total":0}';
    const envelope = JSON.parse(
      successEnvelope(Buffer.from('[]'), pagination, { requestId: 'r' }).toString(),
    ) as object;
    expect(envelope).toEqual({
      success: true,
      data: [],
      pagination: { has_more: false, next_cursor: null, total: 0 },
      meta: expect.anything(),
    });
  });

  it('marks a dry run, and passes warnings on in any script', () => {
    const notes = ['größer "als"', { code: 'local_time_skipped', date: '2027-03-28' }];
    const bytes = successEnvelope(Buffer.from('{}'), null, { requestId: 'r', isDryRun: true, notes });
    expect(JSON.parse(bytes.toString())).toMatchObject({ meta: { request_id: 'r', dry_run: true, warnings: notes } });
  });

  it('has null for data where there are no bytes', () => {
    expect(JSON.parse(successEnvelope(new Uint8Array(0), null, { requestId: 'r' }).toString())).toMatchObject({
      success: true,
      data: null,
    });
  });
});

describe('the error envelope', () => {
  it('holds code, message and details', () => {
    const error = { code: 'CONFLICT', message: 'Taken – really.', details: { reason: 'instructor_busy' } } as const;
    const envelope = JSON.parse(errorEnvelope(error, { requestId: 'r' }).toString()) as object;
    expect(envelope).toEqual({
      success: false,
      error: { ...error, details: { ...error.details, doc_url: '/docs/errors#instructor_busy' } },
      meta: { timestamp: expect.stringMatching(TIME), request_id: 'r' },
    });
  });

  it('links to the documentation at the public origin, where it is known', () => {
    const error = { code: 'CONFLICT', message: 'Taken.', details: { reason: 'instructor_busy' } } as const;
    const envelope = errorEnvelope(error, { requestId: 'r' }, 'https://api.example.com').toString();
    expect(envelope).toContain('"doc_url":"https://api.example.com/docs/errors#instructor_busy"');
  });
});
