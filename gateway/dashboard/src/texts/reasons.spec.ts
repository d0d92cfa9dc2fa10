import { describe, expect, it } from '@jest/globals';
import { de } from './de.ts';
import { en } from './en.ts';
import { sentenceOf } from './reasons.ts';

const message = 'The sentence of the API.';
const inGerman = (reason: string, details: object = {}) => sentenceOf({ reason, message, ...details }, de, 'de-DE');

describe('the sentence about a rejection', () => {
  it('is in the language of the user, with the bounds of the API', () => {
    expect(inGerman('wrong_password')).toBe('Das Passwort ist falsch.');
    expect(inGerman('too_short', { field: 'password', min_length: 10 })).toBe('Geben Sie mindestens 10 Zeichen ein.');
    expect(inGerman('too_long', { field: 'notes', max_length: 2_000 })).toBe('Geben Sie höchstens 2.000 Zeichen ein.');
    expect(inGerman('too_long', { field: 'member_ids', max_items: 10 })).toBe('Wählen Sie höchstens 10.');
    expect(inGerman('too_large', { field: 'lanes', minimum: 1, maximum: 100 })).toBe(
      'Geben Sie eine Zahl von 1 bis 100 ein.',
    );
  });

  it('is that of the field where there is one', () => {
    expect(inGerman('invalid_format', { field: 'email' })).toContain('E-Mail-Adresse');
    expect(inGerman('required', { field: 'member_ids' })).toBe('Wählen Sie mindestens ein Mitglied.');
    expect(inGerman('required', { field: 'emergency_contact.name' })).toBe(de['reason.required']);
  });

  it('asks for a value where nothing was typed', () => {
    expect(inGerman('too_short', { field: 'name', min_length: 1 })).toBe(de['reason.required']);
  });

  it('names no minor units of an amount', () => {
    const rejection = { field: 'hourly_rate_cents', minimum: 0, maximum: 99_999_999 };
    expect(inGerman('too_large', rejection)).toBe('Dieser Betrag ist zu groß.');
  });

  it('is that of the API for a reason without a text, and where a bound is missing', () => {
    expect(inGerman('invalid_json')).toBe(message);
    expect(inGerman('too_short')).toBe(message);
    expect(sentenceOf({ reason: 'toString', message }, en, 'en-GB')).toBe(message);
  });
});
