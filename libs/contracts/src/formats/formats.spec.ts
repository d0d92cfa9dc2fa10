import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { Temporal } from 'temporal-polyfill';
import { z } from 'zod';
import { validationErrorOf } from '../validation/validation-error.js';
import {
  calendarDate,
  cents,
  currency,
  dateOrInstant,
  type IdPrefix,
  id,
  instantOrDate,
  text,
  timeOfDay,
  timestamp,
} from './formats.js';
import { timezone } from './time-zones.js';

/** The parsed value, or the reason of its first error. */
const read = (schema: z.ZodType, value: unknown): unknown => {
  const parsed = schema.safeParse(value, { reportInput: true });
  return parsed.success ? parsed.data : `rejected: ${validationErrorOf(parsed.error).details.reason}`;
};

describe('the end of a range', () => {
  it('that is missing is required, and that is no text has the wrong type', () => {
    const range = z.strictObject({ date_to: instantOrDate });
    expect(read(range, {})).toBe('rejected: required');
    expect(read(range, { date_to: 1 })).toBe('rejected: invalid_type');
  });
});

describe('a timestamp', () => {
  it.each([
    ['2027-03-01T16:00:00Z', '2027-03-01T16:00:00.000Z'],
    ['2027-03-01T16:00:00+02:00', '2027-03-01T14:00:00.000Z'],
    ['2027-03-01T16:00:00-09:30', '2027-03-02T01:30:00.000Z'],
    ['2027-03-01T16:00:00+23:59', '2027-02-28T16:01:00.000Z'],
    ['2027-03-01T16:00:00+0100', '2027-03-01T15:00:00.000Z'],
    ['2027-03-01T16:00:00-09', '2027-03-02T01:00:00.000Z'],
    ['2027-03-01T16:00:00-00:00', '2027-03-01T16:00:00.000Z'],
    ['2027-03-01t16:00:00z', '2027-03-01T16:00:00.000Z'],
    ['2027-03-01T16:00Z', '2027-03-01T16:00:00.000Z'],
    ['2027-03-01T16:00:00.5Z', '2027-03-01T16:00:00.500Z'],
    ['2027-03-01T16:00:00.123999999Z', '2027-03-01T16:00:00.123Z'],
    ['2024-02-29T00:00:00Z', '2024-02-29T00:00:00.000Z'],
    ['2000-02-29T00:00:00Z', '2000-02-29T00:00:00.000Z'],
    ['0099-12-31T00:00:00Z', '0099-12-31T00:00:00.000Z'],
    ['9999-12-31T23:59:59.999Z', '9999-12-31T23:59:59.999Z'],
  ])('%s is %s', (given, utc) => {
    expect(read(timestamp, given)).toBe(utc);
    expect(read(instantOrDate, given)).toBe(utc);
    expect(read(dateOrInstant, given)).toBe(utc);
  });

  it.each([
    ['without an offset', '2027-03-01T16:00:00', 'offset_required'],
    ['without an offset and seconds', '2027-03-01T16:00', 'offset_required'],
    ['without an offset, with a fraction', '2027-03-01T16:00:00.123', 'offset_required'],
    ['with a blank for the T, without an offset', '2027-03-01 16:00:00', 'offset_required'],
    ['that is a bare date', '2027-03-01', 'offset_required'],
    ['on 30 February', '2027-02-30T10:00:00Z', 'invalid_date'],
    ['on 29 February of a common year', '2100-02-29T10:00:00Z', 'invalid_date'],
    ['in month 13', '2027-13-01T10:00:00Z', 'invalid_date'],
    ['on day 0', '2027-03-00T10:00:00Z', 'invalid_date'],
    ['in hour 24', '2027-03-01T24:00:00Z', 'invalid_date'],
    ['in minute 60', '2027-03-01T10:60:00Z', 'invalid_date'],
    ['in a leap second', '2016-12-31T23:59:60Z', 'invalid_date'],
    ['with an offset of 24 hours', '2027-03-01T10:00:00+24:00', 'invalid_date'],
    ['with an offset of 60 minutes', '2027-03-01T10:00:00+01:60', 'invalid_date'],
    ['after the year 9999 in UTC', '9999-12-31T23:59:59-00:01', 'invalid_date'],
    ['before the year 0 in UTC', '0000-01-01T00:00:00+00:01', 'invalid_date'],
    ['in the year 275761', '275761-01-01T00:00:00Z', 'invalid_format'],
    ['in the year +275761', '+275761-01-01T00:00:00Z', 'invalid_format'],
    ['with ten digits of fraction', '2027-03-01T16:00:00.1234567890Z', 'invalid_format'],
    ['with an empty fraction', '2027-03-01T16:00:00.Z', 'invalid_format'],
    ['with a comma', '2027-03-01T16:00:00,5Z', 'invalid_format'],
    ['with an offset of three digits', '2027-03-01T16:00:00+020', 'invalid_format'],
    ['with a short offset of 60 minutes', '2027-03-01T10:00:00+0160', 'invalid_date'],
    ['in the basic format', '20270301T160000Z', 'invalid_format'],
    ['in full-width digits', '２０２７-03-01T16:00:00Z', 'invalid_format'],
    ['with a line end', '2027-03-01T16:00:00Z\n', 'invalid_format'],
    ['that is empty', '', 'invalid_format'],
    ['that is endless', '2'.repeat(100_000), 'invalid_format'],
    ['in milliseconds', 1_804_000_000_000, 'invalid_type'],
    ['that is null', null, 'invalid_type'],
  ])('%s is rejected', (_, given, reason) => {
    expect(read(timestamp, given)).toBe(`rejected: ${reason}`);
  });

  it('parses its own output as the same instant, for any offset', () => {
    const instants = fc.date({
      min: new Date('0001-01-01T00:00:00Z'),
      max: new Date('9998-12-31T00:00:00Z'),
      noInvalidDate: true,
    });
    const offsets = fc.integer({ min: -1439, max: 1439 });
    fc.assert(
      fc.property(instants, offsets, (instant, offsetMinutes) => {
        const local = new Date(instant.getTime() + offsetMinutes * 60_000).toISOString().slice(0, -1);
        const [hours, minutes] = [Math.trunc(Math.abs(offsetMinutes) / 60), Math.abs(offsetMinutes) % 60];
        const two = (part: number) => String(part).padStart(2, '0');
        const spelled = `${local}${offsetMinutes < 0 ? '-' : '+'}${two(hours)}:${two(minutes)}`;
        const utc = timestamp.parse(spelled);
        expect(utc).toBe(instant.toISOString());
        expect(timestamp.parse(utc)).toBe(utc);
      }),
    );
  });

  it('is rejected or normalised, never returned unchanged', () => {
    const digits = fc.stringMatching(/^\d{4}-\d\d-\d\d[Tt ]\d\d:\d\d(:\d\d(\.\d{1,10})?)?([Zz]|[+-]\d\d:?\d\d)?$/);
    fc.assert(
      fc.property(fc.oneof(digits, fc.string()), (given) => {
        expect(read(timestamp, given)).toMatch(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$|^rejected: (invalid|offset)_/);
      }),
    );
  });
});

describe('a date in a query', () => {
  it('is midnight UTC where an instant is expected', () => {
    expect(read(instantOrDate, '2027-03-01')).toBe('2027-03-01T00:00:00.000Z');
  });

  it('stays a date where the day depends on a time zone', () => {
    expect(read(dateOrInstant, '2027-03-01')).toBe('2027-03-01');
  });

  it.each([
    ['2027-02-30', 'invalid_date'],
    ['2027-03-01T16:00:00', 'offset_required'],
    ['2027-02-30T16:00:00Z', 'invalid_date'],
    ['tomorrow', 'invalid_format'],
  ])('%s is rejected as %s', (given, reason) => {
    expect(read(instantOrDate, given)).toBe(`rejected: ${reason}`);
    expect(read(dateOrInstant, given)).toBe(`rejected: ${reason}`);
  });
});

describe('a calendar date', () => {
  it.each(['2027-02-28', '2024-02-29', '0001-01-01', '9999-12-31'])('%s is one', (given) => {
    expect(read(calendarDate, given)).toBe(given);
  });

  it.each([
    ['2027-02-29', 'invalid_date'],
    ['2027-00-10', 'invalid_date'],
    ['2027-04-31', 'invalid_date'],
    ['2027-4-1', 'invalid_format'],
    ['10000-01-01', 'invalid_format'],
    ['2027-03-01T00:00:00Z', 'invalid_format'],
    [20270301, 'invalid_type'],
  ])('%s is rejected as %s', (given, reason) => {
    expect(read(calendarDate, given)).toBe(`rejected: ${reason}`);
  });
});

describe('a time of day', () => {
  it.each(['00:00', '09:05', '23:59', '24:00'])('%s is one', (given) => {
    expect(read(timeOfDay, given)).toBe(given);
  });

  it.each(['24:01', '25:00', '9:00', '09:60', '09:00:00', '09:00\n', ''])('%j is none', (given) => {
    expect(read(timeOfDay, given)).toBe('rejected: invalid_format');
  });
});

describe('text', () => {
  it.each([
    ['of the length allowed', '12345', '12345'],
    ['with an emoji, which counts two', '123😀', '123😀'],
    ['that is too long', '123456', 'rejected: too_long'],
    ['that is empty', '', 'rejected: too_short'],
    ['with NUL', 'a\0b', 'rejected: forbidden_characters'],
    ['with an escape', '\x1b[2J', 'rejected: forbidden_characters'],
    ['with a control of Latin 1', 'a\x9b', 'rejected: forbidden_characters'],
    ['with half a line break', 'a\rb', 'rejected: forbidden_characters'],
    ['with a tab and line breaks', '\ta\r\n', '\ta\r\n'],
    ['with a high surrogate alone', 'a\ud83d', 'rejected: forbidden_characters'],
    ['with a low surrogate alone', '\ude00a', 'rejected: forbidden_characters'],
    ['that is a number', 5, 'rejected: invalid_type'],
  ])('%s', (_, given, outcome) => {
    expect(read(text(5, 1), given)).toBe(outcome);
  });

  it('may be empty unless a least length is set', () => {
    expect(read(text(5), '')).toBe('');
  });
});

describe('a currency', () => {
  it.each(['USD', 'EUR', 'XAF', 'JPY'])('%s exists', (code) => {
    expect(read(currency, code)).toBe(code);
  });

  it.each([
    ['usd', 'invalid_format'],
    ['US', 'invalid_format'],
    ['USDX', 'invalid_format'],
    ['XXX', 'invalid_value'],
    ['XTS', 'invalid_value'],
    ['ZZZ', 'invalid_value'],
    [840, 'invalid_type'],
  ])('%s is rejected as %s', (code, reason) => {
    expect(read(currency, code)).toBe(`rejected: ${reason}`);
  });
});

describe('an amount', () => {
  it.each([
    [0, 0],
    [99_999_999, 99_999_999],
    [-1, 'rejected: too_small'],
    [100_000_000, 'rejected: too_large'],
    [1.5, 'rejected: invalid_type'],
    ['5', 'rejected: invalid_type'],
    [null, 'rejected: invalid_type'],
  ])('%s in cents is %s', (given, outcome) => {
    expect(read(cents, given)).toBe(outcome);
  });

  it('beyond the exact range of integers is rejected', () => {
    expect(read(cents, 2 ** 53)).toMatch(/^rejected: /);
  });

  it('that is absent is required', () => {
    expect(read(z.object({ cents }), {})).toBe('rejected: required');
  });
});

describe('a time zone', () => {
  it.each(['UTC', 'Europe/Berlin', 'America/Argentina/Buenos_Aires', 'Etc/GMT+5'])('%s exists', (name) => {
    expect(read(timezone, name)).toBe(name);
  });

  it.each(['Europe/Atlantis', '+02:00', '', '../UTC', 'x'.repeat(65), 'SystemV/PST8'])('%j is none', (name) => {
    expect(read(timezone, name)).toBe('rejected: unknown_timezone');
  });

  it.each([
    ['europe/berlin', 'Europe/Berlin'],
    ['AMERICA/PORT-AU-PRINCE', 'America/Port-au-Prince'],
    ['etc/gmt-5', 'Etc/GMT-5'],
    ['Asia/Kolkata', 'Asia/Kolkata'],
  ])('%s is spelled as in the database: %s', (name, spelling) => {
    expect(read(timezone, name)).toBe(spelling);
  });

  it('is each one that Temporal computes with, and no other that Intl knows', () => {
    const short =
      'ACT AET AGT ART AST BET BST CAT CNT CST CTT EAT ECT EST HST IET IST JST MIT MST NET NST PLT PNT PRT PST SST VST';
    for (const name of [...short.split(' '), ...Intl.supportedValuesOf('timeZone')]) {
      const spelling = read(timezone, name);
      const computes = () => Temporal.Instant.fromEpochMilliseconds(0).toZonedDateTimeISO(name).timeZoneId;
      if (spelling === 'rejected: unknown_timezone') expect(computes).toThrow();
      else expect([name, spelling]).toEqual([name, computes()]);
    }
    for (const name of ['IST', 'PST', 'BST']) expect(read(timezone, name)).toBe('rejected: unknown_timezone');
  });

  it('that is an abbreviation is rejected with what to send', () => {
    const { error } = z.object({ timezone }).safeParse({ timezone: 'ist' }, { reportInput: true });
    const message =
      'timezone must be the name of a time zone of the IANA database, such as Europe/Berlin; for IST send Asia/Kolkata, Europe/Dublin or Asia/Jerusalem.';
    expect(validationErrorOf(error!, z.object({ timezone })).message).toBe(message);
  });
});

describe('an id', () => {
  const suffix = '01k5zr8q3ve9mbf6w2n0x4ht7c';

  it('has its prefix and the form of a UUIDv7 in base32', () => {
    expect(read(id('ses'), `ses_${suffix}`)).toBe(`ses_${suffix}`);
  });

  it.each([
    ['of another prefix', `bkg_${suffix}`],
    ['without a prefix', suffix],
    ['in upper case', `ses_${suffix.toUpperCase()}`],
    ['one character short', `ses_${suffix.slice(1)}`],
    ['one character long', `ses_${suffix}0`],
    ['of more than 128 bits', `ses_8${suffix.slice(1)}`],
    ['of a UUID of another version', `ses_${suffix.slice(0, 10)}a${suffix.slice(11)}`],
    ['with a line end', `ses_${suffix}\n`],
    ['that is an operator', { $ne: null }],
    ['that is null', null],
  ])('%s is rejected', (_, given) => {
    expect(read(id('ses'), given)).toBe('rejected: invalid_id');
  });

  it('that is absent is required', () => {
    const prefix: IdPrefix = 'ses';
    expect(read(z.object({ it: id(prefix) }), {})).toBe('rejected: required');
  });
});
