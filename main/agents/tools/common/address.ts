// Whether an address is of this machine or its own network. Pure.
import { BlockList, isIP } from 'node:net';

const privateRanges = new BlockList();
for (const [net, bits] of [
  ['0.0.0.0', 8],
  ['10.0.0.0', 8],
  ['100.64.0.0', 10],
  ['127.0.0.0', 8],
  ['169.254.0.0', 16],
  ['172.16.0.0', 12],
  ['192.0.0.0', 24],
  ['192.168.0.0', 16],
  ['198.18.0.0', 15],
  ['224.0.0.0', 3],
] as const)
  privateRanges.addSubnet(net, bits, 'ipv4');
for (const [net, bits] of [
  ['::', 96],
  ['64:ff9b::', 96],
  ['64:ff9b:1::', 48],
  ['2002::', 16],
  ['fc00::', 7],
  ['fe80::', 10],
  ['fec0::', 10],
  ['ff00::', 8],
] as const)
  privateRanges.addSubnet(net, bits, 'ipv6');

/** True as well for what is no address at all, and for IPv6 that carries an IPv4 address inside: better asked about than taken for public. */
export function isPrivateAddress(address: string): boolean {
  const plain = address.replace(/^\[|\]$/g, '').replace(/%.*$/, '');
  const mapped = /^::ffff:(\d+\.\d+\.\d+\.\d+)$/i.exec(plain)?.[1];
  if (mapped !== undefined) return isPrivateAddress(mapped);
  const version = isIP(plain);
  if (version === 0) return true;
  return /^::ffff:/i.test(plain) || privateRanges.check(plain, version === 4 ? 'ipv4' : 'ipv6');
}

/** Whether a host is private by what it is called, asking no name server: an address, or a name that only this machine or its network knows. */
export function isPrivateHost(hostname: string): boolean {
  const plain = hostname.replace(/^\[|\]$|\.$/g, '');
  return isIP(plain) === 0
    ? !plain.includes('.') || /\.(?:localhost|local|internal|lan|home\.arpa)$/i.test(plain)
    : isPrivateAddress(plain);
}
