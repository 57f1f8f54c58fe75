import { describe, expect, it } from "vitest";
import { canonicalHost, createAddressPolicy } from "~/scan/network/address-policy";

const open = createAddressPolicy([]);

describe("an address that is not public is refused", () => {
  it.each([
    ["0.0.0.0", "this machine"],
    ["0.1.2.3", "this network"],
    ["10.0.0.1", "private"],
    ["100.64.0.1", "carrier-grade NAT"],
    ["100.100.100.200", "metadata, Alibaba"],
    ["100.127.255.255", "carrier-grade NAT"],
    ["127.0.0.1", "loopback"],
    ["127.255.255.254", "loopback"],
    ["168.63.129.16", "Azure's wire server, formally public"],
    ["169.254.0.1", "link-local"],
    ["169.254.169.254", "metadata"],
    ["169.254.170.2", "metadata, containers on AWS"],
    ["172.16.0.1", "private"],
    ["172.31.255.255", "private"],
    ["192.0.0.1", "protocol assignments"],
    ["192.0.0.192", "metadata, Oracle"],
    ["192.0.2.1", "documentation"],
    ["192.31.196.1", "AS112"],
    ["192.52.193.1", "multicast relays"],
    ["192.88.99.1", "6to4 relays"],
    ["192.168.0.1", "private"],
    ["192.175.48.1", "AS112"],
    ["198.18.0.1", "benchmarking"],
    ["198.19.255.255", "benchmarking"],
    ["198.51.100.1", "documentation"],
    ["203.0.113.1", "documentation"],
    ["224.0.0.1", "multicast"],
    ["239.255.255.250", "multicast"],
    ["240.0.0.1", "reserved"],
    ["255.255.255.255", "broadcast"],
    ["::", "unspecified"],
    ["::1", "loopback"],
    ["::2", "unassigned"],
    ["::127.0.0.1", "compatible with a loopback address"],
    ["::7f00:1", "the same in hexadecimal"],
    ["::ffff:127.0.0.1", "mapped loopback"],
    ["::ffff:7f00:1", "the same in hexadecimal"],
    ["::ffff:10.0.0.1", "mapped private"],
    ["::ffff:169.254.169.254", "mapped metadata"],
    ["::ffff:168.63.129.16", "mapped wire server"],
    ["0:0:0:0:0:ffff:a00:1", "mapped, written out"],
    ["::ffff:0:127.0.0.1", "translated, RFC 6145"],
    ["64:ff9b::7f00:1", "NAT64"],
    ["64:ff9b::808:808", "NAT64, even to a public address"],
    ["64:ff9b:1::7f00:1", "local NAT64"],
    ["100::1", "discard"],
    ["2001::1", "Teredo"],
    ["2001:1::1", "protocol assignments"],
    ["2001:2::1", "benchmarking"],
    ["2001:10::1", "ORCHID"],
    ["2001:20::1", "ORCHIDv2"],
    ["2001:db8::1", "documentation"],
    ["2002:7f00:1::1", "6to4 of a loopback address"],
    ["2002:808:808::1", "6to4"],
    ["3fff::1", "documentation"],
    ["4000::1", "unassigned"],
    ["5f00::1", "segment routing"],
    ["fc00::1", "unique local"],
    ["fd00:ec2::254", "metadata, AWS"],
    ["fd20:ce::254", "metadata, Google"],
    ["fe80::1", "link-local"],
    ["fe80::1%eth0", "link-local with a zone"],
    ["2a00:1450:4001::1%eth0", "public with a zone"],
    ["fec0::1", "site-local"],
    ["ff02::1", "multicast"],
  ])("%s (%s)", (ip) => {
    expect(open.allowsAddress(ip, ip, 80)).toBe(false);
    expect(open.allowsAddress(ip, "example.com", 443)).toBe(false);
  });

  it.each([
    "",
    "example.com",
    "127.1",
    "0x7f000001",
    "2130706433",
    "017700000001",
    "1.2.3",
    "1.1.1.1/8",
    " 1.1.1.1",
  ])("%j is not one address", (text) => {
    expect(open.allowsAddress(text, "example.com", 80)).toBe(false);
  });

  it.each([
    "1.1.1.1",
    "8.8.8.8",
    "100.63.255.255",
    "172.32.0.1",
    "192.169.0.1",
    "::ffff:8.8.8.8",
    "2606:4700::1111",
  ])("%s is public", (ip) => {
    expect(open.allowsAddress(ip, "example.com", 443)).toBe(true);
  });
});

it("a public address of this machine is allowed on web ports only", () => {
  const own = ["8.8.4.4", "2001:4860:4860:0::8844", "fe80::1%eth0"];
  const policy = createAddressPolicy([], () => own);
  for (const ip of ["8.8.4.4", "::ffff:8.8.4.4", "2001:4860:4860::8844"]) {
    expect(policy.allowsAddress(ip, "example.com", 443)).toBe(true);
    expect(policy.allowsAddress(ip, "example.com", 80)).toBe(true);
    expect(policy.allowsAddress(ip, "example.com", 8080)).toBe(false);
  }
  expect(policy.refuses("8.8.4.4", 3000)).toBe("private");
  expect(policy.refuses("8.8.8.8", 3000)).toBeUndefined();
  expect(createAddressPolicy(["8.8.4.4:3000"], () => own).refuses("8.8.4.4", 3000)).toBeUndefined();
});

it("an address that this machine gets later is its own from then on", () => {
  const own: string[] = [];
  const policy = createAddressPolicy([], () => own);
  expect(policy.allowsAddress("8.8.4.4", "example.com", 8080)).toBe(true);
  own.push("8.8.4.4");
  expect(policy.allowsAddress("8.8.4.4", "example.com", 8080)).toBe(false);
});

describe("a port that web sites do not use is refused", () => {
  it.each([
    [0, "none"],
    [1, "tcpmux"],
    [7, "echo"],
    [21, "FTP"],
    [22, "SSH"],
    [23, "Telnet"],
    [25, "SMTP"],
    [53, "DNS"],
    [81, "below 1024"],
    [110, "POP3"],
    [135, "Windows RPC"],
    [143, "IMAP"],
    [389, "LDAP"],
    [445, "SMB"],
    [465, "SMTP"],
    [587, "mail submission"],
    [993, "IMAP"],
    [1023, "below 1024"],
    [1433, "SQL Server"],
    [1521, "Oracle"],
    [2049, "NFS"],
    [2375, "Docker"],
    [2379, "etcd"],
    [3306, "MySQL"],
    [3389, "Remote Desktop"],
    [5432, "PostgreSQL"],
    [5672, "RabbitMQ"],
    [5900, "VNC"],
    [5910, "VNC"],
    [5985, "WinRM"],
    [6000, "X11"],
    [6379, "Redis"],
    [6443, "Kubernetes"],
    [6667, "IRC"],
    [8500, "Consul"],
    [9042, "Cassandra"],
    [9092, "Kafka"],
    [9200, "Elasticsearch"],
    [9222, "Chromium's debugger"],
    [10250, "a Kubernetes node"],
    [11211, "Memcached"],
    [27017, "MongoDB"],
    [65536, "none"],
    [80.5, "none"],
    [Number.NaN, "none"],
  ])("%d (%s)", (port) => {
    expect(open.allowsPort("example.com", port)).toBe(false);
    expect(open.refuses("example.com", port)).toBe("port");
  });

  it.each([80, 443, 1024, 3000, 4321, 8000, 8080, 8443, 8888, 9000, 49152, 65535])(
    "%d is allowed",
    (port) => {
      expect(open.allowsPort("example.com", port)).toBe(true);
    },
  );
});

describe("refusals before the DNS look-up", () => {
  it.each([
    "localhost",
    "LOCALHOST",
    "localhost.",
    "app.localhost",
    "printer.local",
    "db.internal",
    "metadata.google.internal",
    "wiki.intranet",
    "nas.lan",
    "router.home.arpa",
    "intranet",
    "127.0.0.1",
    "127.1",
    "0x7f.1",
    "2130706433",
    "[::1]",
    "::1",
    "[::ffff:127.0.0.1]",
    "[fe80::1%25eth0]",
    "%6cocalhost",
    "ｌｏｃａｌｈｏｓｔ",
    "①②⑦.⓪.⓪.①",
    "a b",
    "a/b",
    "a@b",
    "",
  ])("%j is refused", (host) => {
    expect(open.refuses(host, 80)).toBe("private");
  });

  it.each([
    "example.com",
    "localhost.example.com",
    "notlocal",
    "xn--bcher-kva.example",
    "8.8.8.8",
    "[2606:4700::1111]",
  ])("%j is allowed, if it has a dot", (host) => {
    expect(open.refuses(host, 443)).toBe(host === "notlocal" ? "private" : undefined);
  });
});

describe("the operator's list allows its entries, and nothing else", () => {
  it("a host with all its addresses, on allowed ports", () => {
    const policy = createAddressPolicy(["Intranet.Local", "localhost"]);
    expect(policy.allowsAddress("10.1.2.3", "intranet.local", 8080)).toBe(true);
    expect(policy.allowsAddress("10.1.2.3", "INTRANET.local.", 80)).toBe(true);
    expect(policy.allowsAddress("::1", "localhost", 3000)).toBe(true);
    expect(policy.refuses("localhost", 3000)).toBeUndefined();
    expect(policy.refuses("intranet.local", 25)).toBe("port");
    expect(policy.allowsAddress("10.1.2.3", "www.intranet.local", 80)).toBe(false);
    expect(policy.allowsAddress("10.1.2.3", "example.com", 80)).toBe(false);
    expect(policy.refuses("app.localhost", 3000)).toBe("private");
    expect(policy.refuses("127.0.0.1", 3000)).toBe("private");
  });

  it("a host on one port, whichever it is", () => {
    const policy = createAddressPolicy(["intranet.local:25", "127.0.0.1:6379", "[::1]:8080"]);
    expect(policy.refuses("intranet.local", 25)).toBeUndefined();
    expect(policy.allowsAddress("10.0.0.1", "intranet.local", 25)).toBe(true);
    expect(policy.allowsAddress("10.0.0.1", "intranet.local", 80)).toBe(false);
    expect(policy.refuses("intranet.local", 80)).toBe("private");
    expect(policy.allowsPort("intranet.local", 26)).toBe(false);
    expect(policy.allowsPort("example.com", 25)).toBe(false);
    expect(policy.refuses("127.0.0.1", 6379)).toBeUndefined();
    expect(policy.refuses("0x7f.1", 6379)).toBeUndefined();
    expect(policy.refuses("127.0.0.2", 6379)).toBe("private");
    expect(policy.refuses("127.0.0.1", 6380)).toBe("private");
    expect(policy.refuses("[::1]", 8080)).toBeUndefined();
    expect(policy.refuses("[::1]", 8081)).toBe("private");
    expect(policy.refuses("localhost", 8080)).toBe("private");
  });

  it("a network under any name, on allowed ports", () => {
    const policy = createAddressPolicy(["10.0.0.0/8", "fd00::/8"]);
    expect(policy.allowsAddress("10.255.0.1", "wiki.example.com", 80)).toBe(true);
    expect(policy.allowsAddress("::ffff:10.0.0.1", "wiki.example.com", 80)).toBe(true);
    expect(policy.allowsAddress("fd12::1", "wiki.example.com", 80)).toBe(true);
    expect(policy.allowsAddress("11.0.0.1", "wiki.example.com", 80)).toBe(true);
    expect(policy.allowsAddress("192.168.0.1", "wiki.example.com", 80)).toBe(false);
    expect(policy.allowsAddress("fc00::1", "wiki.example.com", 80)).toBe(false);
    expect(policy.refuses("10.0.0.1", 5432)).toBe("port");
    expect(policy.refuses("wiki.internal", 80)).toBeUndefined();
    expect(policy.refuses("localhost", 80)).toBe("private");
  });

  it("localhost, if both of its addresses are listed", () => {
    expect(createAddressPolicy(["127.0.0.0/8", "::1"]).refuses("localhost", 80)).toBeUndefined();
    expect(createAddressPolicy(["127.0.0.0/8"]).refuses("localhost", 80)).toBe("private");
  });

  it("metadata addresses only by an entry of their own, not by a network or a name", () => {
    const wide = createAddressPolicy([
      "0.0.0.0/0",
      "::/0",
      "169.254.0.0/16",
      "fd00::/8",
      "metadata.google.internal",
    ]);
    for (const ip of ["169.254.169.254", "::ffff:169.254.169.254", "fd00:ec2::254", "168.63.129.16"]) {
      expect(wide.allowsAddress(ip, ip, 80)).toBe(false);
      expect(wide.allowsAddress(ip, "metadata.google.internal", 80)).toBe(false);
    }
    expect(wide.allowsAddress("169.254.1.1", "169.254.1.1", 80)).toBe(true);
    const exact = createAddressPolicy(["169.254.169.254:80", "fd00:ec2::254"]);
    expect(exact.allowsAddress("169.254.169.254", "169.254.169.254", 80)).toBe(true);
    expect(exact.allowsAddress("169.254.169.254", "169.254.169.254", 8080)).toBe(false);
    expect(exact.allowsAddress("fd00:ec2::254", "example.com", 80)).toBe(true);
  });
});

it("names that may only be in the hosts file are recognised", () => {
  const policy = createAddressPolicy(["wiki.example.com", "shop.example.com:8080", "10.0.0.0/8"]);
  for (const host of [
    "wiki.example.com",
    "Wiki.Example.com.",
    "shop.example.com",
    "nas",
    "printer.local",
    "localhost",
  ]) {
    expect(policy.mayBeLocal(host), host).toBe(true);
  }
  for (const host of ["example.com", "www.wiki.example.com"])
    expect(policy.mayBeLocal(host), host).toBe(false);
});

describe("an invalid entry is named", () => {
  it.each([
    "",
    " ",
    "http://intranet.local",
    "intranet.local/",
    "*.intranet.local",
    "10.0.0.0/33",
    "10.1/16",
    "10.0.0.0/8:80",
    "fe80::%eth0/10",
    "fd00::/129",
    "::ffff:10.0.0.0/104",
    "fe80::1%eth0",
    "intranet.local:0",
    "intranet.local:65536",
    "intranet.local:http",
    "intranet.local:",
    "::1:8080:",
    "[::1",
    "[intranet.local]",
    "user@intranet.local",
    "two words",
    "300.1.1.1",
  ])("%j", (entry) => {
    expect(() => createAddressPolicy(["localhost", entry])).toThrow(`"${entry}"`);
  });
});

it("hosts are compared in the form of the URL standard", () => {
  expect(canonicalHost("EXAMPLE.com.")).toBe("example.com");
  expect(canonicalHost("bücher.example")).toBe("xn--bcher-kva.example");
  expect(canonicalHost("[0:0::1]")).toBe("::1");
  expect(canonicalHost("0177.0.0.1")).toBe("127.0.0.1");
  expect(canonicalHost("a:b")).toBeUndefined();
  expect(canonicalHost("a?b")).toBeUndefined();
});
