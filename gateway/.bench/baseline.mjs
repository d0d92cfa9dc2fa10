import http from 'node:http';
import { connect } from '@nats-io/transport-node';
const nc = await connect({ servers: 'nats://127.0.0.1:14222', ...(process.env.FAST ? { noAsyncTraces: true } : {}) });
http.createServer(async (req, res) => {
  const m = await nc.request('rpc.scheduling.getSession', JSON.stringify({ session_id: req.url.slice(13) }));
  res.setHeader('content-type', 'application/json'); res.end(JSON.stringify({ success: true, data: JSON.parse(m.string()), meta: { timestamp: new Date().toISOString(), request_id: '1' } }));
}).listen(18091);
