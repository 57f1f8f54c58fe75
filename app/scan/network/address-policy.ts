import { isIP } from "node:net";
import { networkInterfaces } from "node:os";
import ipaddr from "ipaddr.js";

/**
 * Decides what the scanner may connect to. Public addresses are allowed; private, local or special ones are not, unless
 * the operator has listed them. Pure: no DNS queries, no connections.
 */
export interface AddressPolicy {
  /**
   * May `host`, which is (or resolves to) the address `ip`, be connected to on `port`?
   * @param ip one address as text; anything that is not exactly one address is refused
   * @param host the name or address asked for, as it stands in a URL
   */
  allowsAddress(ip: string, host: string, port: number): boolean;
  /** May this port be connected to at all? Says nothing about the address. */
  allowsPort(host: string, port: number): boolean;
  /**
   * Reason why `host` is refused without a DNS query, if it is: addresses are judged at once, names that can only be local must
   * be listed; any other name passes and is judged by `allowsAddress` once it has addresses.
   */
  refuses(host: string, port: number): "private" | "port" | undefined;
  /** Is this name possibly unknown to the public DNS, because it is listed or only local? */
  mayBeLocal(host: string): boolean;
}

type Address = ipaddr.IPv4 | ipaddr.IPv6;

/** One entry of the operator's list. Without a port it applies to every generally allowed port. */
type Entry = { host: string; port?: number } | { network: [Address, number]; port?: number };

/**
 * @param allowPrivate hosts (`intranet.local`), `host:port`, addresses (`10.0.0.7`, `[::1]:8080`) and networks
 *   (`10.0.0.0/8`, `fd00::/8`). An entry with a port also lifts the rule about ports, for exactly that host and port; an
 *   entry without one lifts the rule about addresses alone.
 * @param own addresses of this machine, asked each time: they change. Its firewall does not protect its services from inside, so on its public
 *   addresses only ports 80 and 443, where it may have a site, count as public.
 * @throws {Error} that names the first unusable entry
 */
export function createAddressPolicy(
  allowPrivate: readonly string[],
  own: () => readonly string[] = ownAddresses,
): AddressPolicy {
  const entries = allowPrivate.map(parseEntry);
  const isOwn = (address: Address) =>
    own().some((ip) => parseAddress(ip)?.toNormalizedString() === address.toNormalizedString());

  const listed = (host: string, port: number, address?: Address) =>
    entries.filter(
      (entry) =>
        (entry.port === undefined || entry.port === port) &&
        ("host" in entry ? entry.host === host : address !== undefined && contains(entry.network, address)),
    );

  function mayLeadSomewhere(name: string, port: number): boolean {
    if (parseAddress(name)) return policy.allowsAddress(name, name, port);
    if (!isLocalName(name) || listed(name, port).length > 0) return true;
    // A listed network may have names that only its own name server knows; but localhost is always known.
    return isLocalhost(name)
      ? ["127.0.0.1", "::1"].every((ip) => policy.allowsAddress(ip, name, port))
      : entries.some((entry) => "network" in entry && !isSingle(entry.network));
  }

  const policy: AddressPolicy = {
    allowsAddress(ip, host, port) {
      const address = parseAddress(ip);
      if (!address) return false;
      const matches = listed(canonicalHost(host) ?? host, port, address);
      if (isMetadata(address)) return matches.some((entry) => "network" in entry && isSingle(entry.network));
      return matches.length > 0 || (isPublic(address) && (isWebPort(port) || !isOwn(address)));
    },

    allowsPort(host, port) {
      if (isOpenPort(port)) return true;
      const name = canonicalHost(host) ?? host;
      return listed(name, port, parseAddress(name)).some((entry) => entry.port === port);
    },

    refuses(host, port) {
      const name = canonicalHost(host);
      if (name === undefined || !mayLeadSomewhere(name, port)) return "private";
      return policy.allowsPort(name, port) ? undefined : "port";
    },

    mayBeLocal(host) {
      const name = canonicalHost(host) ?? host;
      return isLocalName(name) || entries.some((entry) => "host" in entry && entry.host === name);
    },
  };
  return policy;
}

const ownAddresses = () =>
  Object.values(networkInterfaces()).flatMap((addresses) => (addresses ?? []).map(({ address }) => address));

function parseEntry(entry: string): Entry {
  const text = entry.trim();
  const unusable = (why: string) =>
    new Error(`"${entry}" is not a host, host:port, address or network: ${why}`);

  if (text.includes("/")) {
    // ipaddr.js reads 10.1/16 as 10.0.0.1/16, which is never intended.
    if (!parseAddress(text.replace(/\/.*/, "")) || !ipaddr.isValidCIDR(text))
      throw unusable("a network is written like 10.0.0.0/8 or fd00::/8");
    const [address, bits] = ipaddr.parseCIDR(text);
    if (embeddedIPv4(address)) throw unusable("write a network of IPv4 addresses in the IPv4 notation");
    return { network: [address, bits] };
  }

  const bare = isIP(text)
    ? { host: text }
    : /^(?<host>\[[^\]]*\]|[^:[\]]+)(?::(?<port>\d{1,5}))?$/.exec(text)?.groups;
  const host = bare?.host && canonicalHost(bare.host);
  if (!host || !/^[a-z\d._:-]+$/.test(host)) throw unusable("no such notation");
  const port = bare.port === undefined ? undefined : Number(bare.port);
  if (port !== undefined && (port < 1 || port > 65_535)) throw unusable("a port is between 1 and 65535");

  const address = parseAddress(host);
  return address ? { network: [address, address.kind() === "ipv4" ? 32 : 128], port } : { host, port };
}

/**
 * A host in the form of the URL standard: lower case, punycode, `0x7f.1` as 127.0.0.1; without brackets and final dot.
 * Undefined for an invalid host.
 */
export function canonicalHost(host: string): string | undefined {
  const text = host.replace(/^\[(.*:.*)\]$/, "$1");
  if (/[\s/?#@\\[\]]/.test(text)) return undefined;
  const url = `http://${text.includes(":") ? `[${text}]` : text}/`;
  if (!URL.canParse(url)) return undefined;
  return new URL(url).hostname.replace(/^\[(.*)\]$/, "$1").replace(/\.$/, "") || undefined;
}

/** One address, unwrapped if IPv6 carries an IPv4 address. Zones name an interface of this machine: undefined. */
function parseAddress(ip: string): Address | undefined {
  if (isIP(ip) === 0 || ip.includes("%")) return undefined;
  const address = ipaddr.parse(ip);
  return embeddedIPv4(address) ?? address;
}

/** The IPv4 address inside `::ffff:a.b.c.d` (mapped) or `::a.b.c.d` (compatible, RFC 4291 section 2.5.5). */
function embeddedIPv4(address: Address): ipaddr.IPv4 | undefined {
  // `::` and `::1` look like compatible addresses, but are separate addresses.
  if (address.kind() === "ipv4" || ["unspecified", "loopback"].includes(address.range())) return undefined;
  const bytes = address.toByteArray();
  const prefix = bytes.slice(0, 12).join();
  return prefix === MAPPED || prefix === COMPATIBLE ? new ipaddr.IPv4(bytes.slice(12)) : undefined;
}

const MAPPED = "0,0,0,0,0,0,0,0,0,0,255,255";
const COMPATIBLE = "0,0,0,0,0,0,0,0,0,0,0,0";

const contains = ([network, bits]: [Address, number], address: Address) =>
  network.kind() === address.kind() && address.match(network, bits);

const isSingle = ([network, bits]: [Address, number]) => bits === (network.kind() === "ipv4" ? 32 : 128);

/** IANA assigns global unicast addresses only from this block; ipaddr.js calls everything unlisted 'unicast'. */
const GLOBAL_IPV6 = ipaddr.parseCIDR("2000::/3");

function isPublic(address: Address): boolean {
  if (address.kind() === "ipv6" && !contains(GLOBAL_IPV6, address)) return false;
  return address.range() === "unicast" && !SPECIAL.some((network) => contains(network, address));
}

/** Networks that older releases of ipaddr.js call 'unicast', from the IANA special-purpose address registries. */
const SPECIAL = [
  "192.0.0.0/24", // IETF protocol assignments
  "192.88.99.0/24", // 6to4 relays
  "198.18.0.0/15", // benchmarking
  "2001::/23", // IETF protocol assignments: Teredo, ORCHID, benchmarking, AMT …
  "2001:db8::/32", // documentation
  "2002::/16", // 6to4: carries any IPv4 address
  "3fff::/20", // documentation
].map((network) => ipaddr.parseCIDR(network));

/**
 * Metadata services of cloud providers: they reveal facts about a machine, passwords included. They are refused even
 * inside a listed network and behind a listed name: only an entry of exactly that address allows one.
 */
const METADATA = [
  "169.254.169.254", // AWS, Google, Azure, DigitalOcean, Oracle …
  "169.254.170.2", // AWS: credentials of a container
  "169.254.170.23", // AWS: credentials of a pod
  "fd00:ec2::254", // AWS
  "fd00:ec2::23", // AWS: credentials of a pod
  "fd20:ce::254", // Google
  "100.100.100.200", // Alibaba
  "192.0.0.192", // Oracle (classic)
  "168.63.129.16", // Azure's wire server; formally a public address
].map((ip) => ipaddr.parse(ip).toNormalizedString());

const isMetadata = (address: Address) => METADATA.includes(address.toNormalizedString());

const isLocalhost = (name: string) => name === "localhost" || name.endsWith(".localhost");

/** Names unknown to the public DNS: RFC 6761, RFC 6762, RFC 8375, ICANN's `.internal`, and names without a dot. */
function isLocalName(name: string): boolean {
  return (
    !name.includes(".") ||
    /\.(localhost|localdomain|local|internal|intranet|lan|home\.arpa|onion)$/.test(name)
  );
}

const isWebPort = (port: number) => port === 80 || port === 443;

/** Web sites use 80, 443 and high ports, but no other port below 1024. */
function isOpenPort(port: number): boolean {
  if (isWebPort(port)) return true;
  return Number.isInteger(port) && port >= 1024 && port <= 65_535 && !isDeniedPort(port);
}

const isDeniedPort = (port: number) =>
  Object.values(DENIED_PORTS)
    .flat()
    .some((denied) =>
      typeof denied === "number" ? denied === port : denied[0] <= port && port <= denied[1],
    );

/**
 * Services on high ports that a request through the scanner could harm. Includes Chromium's own list of unsafe ports, so
 * that such an address is refused with a reason before a browser is asked.
 */
const DENIED_PORTS: Record<string, (number | [first: number, last: number])[]> = {
  "mail: submission, ManageSieve": [2525, 4190],
  "chat and telephony: H.323, SIP, XMPP, IRC": [1719, 1720, 5060, 5061, 5222, 5269, [6660, 6669], 6679, 6697],
  "SQL Server, Oracle, Db2": [1433, 1434, 1521, 50000],
  "MySQL, PostgreSQL and its poolers": [3306, 33060, 5432, 5433, 6432],
  "CouchDB, Neo4j, InfluxDB, ClickHouse": [5984, 7473, 7474, 7687, 8086, 8123],
  "Redis, Memcached": [6379, 6380, 16379, 26379, 11211],
  "Cassandra, MongoDB, Elasticsearch": [7000, 7199, 9042, 9160, [27017, 27019], 28017, 9200, 9300],
  "RabbitMQ and AMQP, Erlang": [5671, 5672, 15671, 15672, 25672, 4369],
  "ActiveMQ and STOMP, Kafka, NATS, MQTT": [[61613, 61617], 8161, [9092, 9094], 4222, 6222, 8222, 1883, 8883],
  "etcd, ZooKeeper, Consul, Vault, Nomad": [
    2379,
    2380,
    2181,
    2888,
    3888,
    [8300, 8302],
    8500,
    8501,
    8600,
    8200,
    8201,
    [4646, 4648],
  ],
  "Docker, Kubernetes": [[2375, 2377], 4243, 6443, [10248, 10250], [10255, 10259]],
  "administration: Salt, Puppet, WinRM, Webmin, Zabbix": [4505, 4506, 8140, 5985, 5986, 10000, 10050, 10051],
  "application servers: AJP, RMI": [8009, 1099],
  "debuggers: Java, Node.js, Chromium, Android": [5005, 9229, 9222, 5555],
  "files and devices: NFS, RFE, SANE, printers, Amanda": [2049, 4045, 3659, 6566, 9100, 10080],
  "proxies and tunnels: SOCKS, Squid, Privoxy, Tor, PPTP": [1080, 3128, 8118, 9050, 9051, 9150, 1723],
  "remote desktops: ICA, RDP, pcAnywhere, Radmin, TeamViewer": [1494, 2598, 3389, 5631, 5632, 4899, 5938],
  "remote desktops: VNC, X11": [
    [5800, 5803],
    [5900, 5910],
    [6000, 6063],
  ],
};
