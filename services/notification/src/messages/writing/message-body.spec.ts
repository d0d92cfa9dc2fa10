import { describe, expect, it } from '@jest/globals';
import { bodyOf } from './message-body.js';

const HOSTILE = `<img src=x onerror=alert(1)>"'&`;
const ESCAPED = '&lt;img src=x onerror=alert(1)&gt;&quot;&#39;&amp;';

describe('the HTML of a message', () => {
  it('shows names that contain markup as text, in every place', () => {
    const url = `https://swim.test/?a="><script>`;
    const text = { subject: HOSTILE, intro: HOSTILE, lines: [HOSTILE], action: { label: HOSTILE, url } };
    const { html } = bodyOf(text, 'en', { label: HOSTILE, url });
    expect(html.split(ESCAPED).length - 1).toBe(4);
    expect(html).not.toMatch(/<img|<script/);
  });

  it('keeps a name with line breaks on its line of the text', () => {
    const { text } = bodyOf({ subject: '', intro: 'Booked:', lines: ['Mia\r\n- Noah'], action: null }, 'en', null);
    expect(text).toBe('Booked:\n\n- Mia - Noah\n');
  });
});
