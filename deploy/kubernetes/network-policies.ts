import net from 'node:net';

type Labels = Record<string, string>;

interface Selector {
  matchLabels?: Labels;
}

interface Peer {
  podSelector?: Selector;
  namespaceSelector?: Selector;
  ipBlock?: { cidr: string; except?: string[] };
}

interface Rule {
  from?: Peer[];
  to?: Peer[];
  ports?: { protocol: string; port: number | string }[];
}

/** A policy of a namespace. */
export interface NetworkPolicy {
  kind: string;
  spec: { podSelector: Selector; policyTypes: ('Ingress' | 'Egress')[]; ingress?: Rule[]; egress?: Rule[] };
}

/** A pod of the product; with `namespace` one of another namespace, with `address` what is no pod at all. */
export interface Place {
  labels?: Labels;
  namespace?: Labels;
  address?: string;
}

/** A port of TCP, by its number and the name that the pod gives it. */
export interface Port {
  number: number;
  name?: string;
}

const matches = ({ matchLabels = {} }: Selector, labels: Labels = {}) =>
  Object.entries(matchLabels).every(([key, value]) => labels[key] === value);

/** Whether a connection passes, as the network of a cluster decides it: both sides have to let it. */
export const passes = (policies: NetworkPolicy[], from: Place, to: Place, port: Port): boolean =>
  allows(policies, 'Egress', { of: from, other: to, port }) &&
  allows(policies, 'Ingress', { of: to, other: from, port });

interface End {
  of: Place;
  other: Place;
  port: Port;
}

function allows(policies: NetworkPolicy[], type: 'Ingress' | 'Egress', { of, other, port }: End): boolean {
  // The policies are those of the product's namespace, and know only its pods.
  if (!of.labels || of.namespace) return true;
  const meant = policies.filter(({ spec }) => spec.policyTypes.includes(type) && matches(spec.podSelector, of.labels));
  if (meant.length === 0) return true;
  return meant
    .flatMap(({ spec }) => (type === 'Egress' ? spec.egress : spec.ingress) ?? [])
    .some((rule) => isPeer(rule.to ?? rule.from, other) && isPort(rule.ports, port));
}

const isPort = (ports: Rule['ports'], { number, name }: Port) =>
  !ports || ports.some(({ protocol, port }) => protocol === 'TCP' && (port === number || port === name));

const isPeer = (peers: Peer[] | undefined, place: Place) =>
  !peers ||
  peers.some(({ ipBlock, podSelector, namespaceSelector }) => {
    if (ipBlock) return place.address !== undefined && isWithin(ipBlock, place.address);
    if (place.address !== undefined) return false;
    const isNamespace = namespaceSelector ? matches(namespaceSelector, place.namespace) : !place.namespace;
    return isNamespace && (!podSelector || matches(podSelector, place.labels));
  });

function isWithin({ cidr, except = [] }: NonNullable<Peer['ipBlock']>, address: string) {
  const family = net.isIPv6(address) ? 'ipv6' : 'ipv4';
  const holds = (range: string) => {
    const [start = '', bits] = range.split('/');
    if (net.isIPv6(start) !== net.isIPv6(address)) return false;
    const list = new net.BlockList();
    list.addSubnet(start, Number(bits), family);
    return list.check(address, family);
  };
  return holds(cidr) && !except.some(holds);
}
