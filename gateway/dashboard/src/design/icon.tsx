const PATHS = {
  calendar:
    'M2.5 6.5h11M5 1.5v3m6-3v3M4 3h8a1.5 1.5 0 0 1 1.5 1.5V12A1.5 1.5 0 0 1 12 13.5H4A1.5 1.5 0 0 1 2.5 12V4.5A1.5 1.5 0 0 1 4 3Z',
  today: 'M3.5 2.5h9a1 1 0 0 1 1 1v9a1 1 0 0 1-1 1h-9a1 1 0 0 1-1-1v-9a1 1 0 0 1 1-1Zm1.750 5.5 2 2 3.5-4',
  instructors: 'M8 8a2.75 2.75 0 1 0 0-5.5A2.75 2.75 0 0 0 8 8Zm-5.5 5.5c.5-2.5 2.7-3.5 5.5-3.5s5 1 5.5 3.5',
  members:
    'M5.75 7.5a2.25 2.25 0 1 0 0-4.5 2.25 2.25 0 0 0 0 4.5ZM1.5 13c.3-2.3 2-3.25 4.25-3.25S9.7 10.7 10 13m.5-5.5a2 2 0 1 0-.7-3.9m2 6.3c1.6.4 2.5 1.4 2.7 3.1',
  bookings: 'M3 2.5h10v11l-2.5-1.5L8 13.5 5.5 12 3 13.5zM5.5 6h5m-5 3h3',
  pools:
    'M1.5 10.5c1.1-1 2.2-1 3.25 0s2.15 1 3.25 0 2.2-1 3.25 0 2.15 1 3.25 0M1.5 13.5c1.1-1 2.2-1 3.25 0s2.15 1 3.25 0 2.2-1 3.25 0 2.15 1 3.25 0M5 8V3.750a1.25 1.25 0 0 1 2.5 0M10.5 8V3.750a1.25 1.25 0 0 1 2.5 0M5 6h5.5',
  closures: 'M8 14A6 6 0 1 0 8 2a6 6 0 0 0 0 12ZM3.8 3.8l8.4 8.4',
  waitlist: 'M8 14A6 6 0 1 0 8 2a6 6 0 0 0 0 12Zm0-9.5V8l2.5 1.5',
  statement: 'M2.5 13.5h11M4.5 11V8m3.5 3V4.5M11.5 11V6.5',
  methods: 'M2.5 3.5h11a1 1 0 0 1 1 1v7a1 1 0 0 1-1 1h-11a1 1 0 0 1-1-1v-7a1 1 0 0 1 1-1Zm-1 3.250h13M4 10h2.5',
  policies: 'M8 1.75 13 3.5v4.25c0 3-2 5.25-5 6.5-3-1.25-5-3.5-5-6.5V3.5zM5.75 8l1.6 1.6 3-3.2',
  keys: 'M10 9.5a3.5 3.5 0 1 0-3.3-2.3L2 12v2h2.5v-1.5H6V11h1.5l1.2-1.7c.4.1.800.2 1.3.2Zm.75-4.25h.01',
  webhooks:
    'M5.5 8.5 3.8 11.5m4-7.7a2 2 0 1 0-2.6 1.2l2 3.4M8.6 6.5l1.7 3h0m-6.8 4a2 2 0 1 0 2-2.5h5m.5 2.7a2 2 0 1 0-.9-3.6',
  events: 'M2.5 4h1m2.5 0h7.5M2.5 8h1m2.5 0h7.5M2.5 12h1m2.5 0h7.5',
  requests: 'm5 4.5-3 3.5 3 3.5m6-7 3 3.5-3 3.5M9 3 7 13',
  usage: 'M2.5 11a5.5 5.5 0 1 1 11 0M8 11l2.5-3.5',
  sandbox: 'M6 2.5h4M6.75 2.5v4L3.2 12a1 1 0 0 0 .8 1.5h8a1 1 0 0 0 .8-1.5L9.25 6.5v-4M5 10h6',
  settings:
    'M2.5 4.5h7m2.5 0h1.5M2.5 11.5H4m2.5 0h7M9.5 4.5a1.25 1.25 0 1 0 2.5 0 1.25 1.25 0 0 0-2.5 0ZM4 11.5a1.25 1.25 0 1 0 2.5 0 1.25 1.25 0 0 0-2.5 0Z',
  menu: 'M2.5 4.5h11m-11 3.5h11m-11 3.5h11',
  close: 'm4 4 8 8m0-8-8 8',
  previous: 'M10 3.5 5.5 8l4.5 4.5',
  next: 'M6 3.5 10.5 8 6 12.5',
  plus: 'M8 3v10M3 8h10',
} as const;

export type IconName = keyof typeof PATHS;

/** A small drawing beside a text that says the same. */
export function Icon({ name }: { name: IconName }) {
  return (
    <svg className="icon" viewBox="0 0 16 16" width="16" height="16" aria-hidden="true">
      <path
        d={PATHS[name]}
        fill="none"
        stroke="currentColor"
        strokeWidth="1.35"
        strokeLinecap="round"
        strokeLinejoin="round"
      />
    </svg>
  );
}
