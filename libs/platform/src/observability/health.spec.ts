import { afterEach, beforeEach, describe, expect, it, jest } from '@jest/globals';
import { freePort } from '../../../testing/src/servers/nats-server.js';
import { HealthServer } from './health.js';
import { operationSeconds } from './metrics.js';

let health: HealthServer;
let base: string;

beforeEach(async () => {
  health = new HealthServer();
  const port = await freePort();
  await health.listen(port, '127.0.0.1');
  base = `http://127.0.0.1:${port}`;
});
afterEach(async () => {
  jest.useRealTimers();
  await health.close();
});

const get = async (path: string): Promise<{ status: number; body: unknown }> => {
  const response = await fetch(base + path);
  const text = await response.text();
  return { status: response.status, body: text && JSON.parse(text) };
};

describe('health', () => {
  it('is unavailable until the process is ready, and again while it drains', async () => {
    expect(await get('/health')).toEqual({ status: 503, body: { status: 'unavailable', failing: [] } });
    health.ready();
    expect(await get('/health')).toEqual({ status: 200, body: { status: 'ok', failing: [] } });
    expect((await get('/ready?verbose=1')).status).toBe(200);
    health.draining();
    expect((await get('/health')).status).toBe(503);
  });

  it('names the failing checks, including those that throw synchronously', async () => {
    health.ready();
    health.addCheck('nats', async () => {});
    health.addCheck('database', () => Promise.reject(new Error('secret address')));
    health.addCheck('processor', () => {
      throw new Error('not even begun');
    });
    const answer = await get('/health');
    expect(answer).toEqual({ status: 503, body: { status: 'unavailable', failing: ['database', 'processor'] } });
  });

  it('is available again when its checks succeed', async () => {
    health.ready();
    let isUp = false;
    health.addCheck('nats', async () => {
      if (!isUp) throw new Error('away');
    });
    expect((await get('/health')).status).toBe(503);
    isUp = true;
    expect((await get('/health')).status).toBe(200);
  });

  it('does not wait forever for a check that hangs', async () => {
    health.ready();
    let markRequested = () => {};
    const isRequested = new Promise<void>((resolve) => {
      markRequested = resolve;
    });
    health.addCheck('database', () => {
      markRequested();
      return new Promise(() => {});
    });
    jest.useFakeTimers({ doNotFake: ['nextTick', 'queueMicrotask', 'setImmediate', 'performance', 'Date'] });
    const answer = get('/health');
    await isRequested;
    await jest.advanceTimersByTimeAsync(2_000);
    expect(await answer).toEqual({ status: 503, body: { status: 'unavailable', failing: ['database'] } });
  });
});

describe('the health port', () => {
  it('responds that the process is alive, ready or not', async () => {
    expect((await get('/live')).status).toBe(200);
  });

  it('serves metrics in Prometheus format', async () => {
    operationSeconds.observe({ operation: 'booking.create', outcome: 'ok' }, 0.02);
    const response = await fetch(`${base}/metrics`);
    expect(response.headers.get('content-type')).toContain('text/plain');
    const text = await response.text();
    expect(text).toContain('swim_operation_seconds_count{operation="booking.create",outcome="ok"} 1');
    expect(text).toContain('process_cpu_seconds_total');
  });

  it('has no other path', async () => {
    for (const path of ['/', '/healthz', '/metrics/x', '/health/']) expect((await get(path)).status).toBe(404);
  });

  it('in use is an error at start', async () => {
    await expect(new HealthServer().listen(Number(new URL(base).port), '127.0.0.1')).rejects.toMatchObject({
      code: 'EADDRINUSE',
    });
  });
});
