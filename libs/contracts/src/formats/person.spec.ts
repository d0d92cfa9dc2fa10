import { describe, expect, it } from '@jest/globals';
import { notBlank } from './formats.js';
import { email } from './person.js';

describe('a name', () => {
  it('of characters that show nothing is rejected: too_short', () => {
    for (const unseen of ['\u3164', '\u2800', '\u115f', '\uffa0', '\u200d\u200c', ' \u2800 ', '\u00ad', '\ufe0f'])
      expect([unseen, notBlank(10).safeParse(unseen).error?.issues[0]?.message]).toEqual([unseen, 'too_short']);
    for (const name of ['a\u3164', '\u0915\u094d\u200d\u0937', '李', '.'])
      expect(notBlank(10).safeParse(name).success).toBe(true);
  });
});

describe('an e-mail address', () => {
  it('may have a domain of any script, which is stored as mail servers know it', () => {
    expect(email.parse('user@müller.de')).toBe('user@xn--mller-kva.de');
    expect(email.parse('user@MÜLLER.de')).toBe('user@xn--mller-kva.de');
    expect(email.parse('user@例え.com')).toBe('user@xn--r8jz45g.com');
    for (const wrong of [
      'user@müller',
      'ü@müller.de',
      'user@mül ler.de',
      'user@müller.de:25',
      'user@',
      '@müller.de',
      'user@ü/.de',
    ])
      expect([wrong, email.safeParse(wrong).error?.issues[0]?.message]).toEqual([wrong, 'invalid_format']);
  });
});
