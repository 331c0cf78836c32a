import { generateKeyPair } from "node:crypto";
import { promisify } from "node:util";
import forge from "node-forge";

/** A certificate and its key, as PEM strings. */
export interface Certificate {
  /** The certificate authority that a client must trust. */
  readonly authority: string;
  readonly certificate: string;
  readonly key: string;
}

const dayInMilliseconds = 24 * 60 * 60 * 1000;

/**
 * The certificates of this process, by hosts and day. Creating a certificate takes longer than everything else that a rehearsal does to
 * start.
 */
const made = new Map<string, Promise<Certificate>>();

/**
 * Returns a certificate for hosts and the authority that signs it, both valid for at least a day before and after `now`. Both use the same
 * key, because it protects nothing. Calls with the same hosts on the same day return the same certificate.
 */
export function certificateFor(hosts: readonly string[], now: Date): Promise<Certificate> {
  const day = new Date(Math.floor(now.getTime() / dayInMilliseconds) * dayInMilliseconds);
  const key = `${hosts.join(" ")} ${day.toISOString()}`;
  const certificate = made.get(key) ?? makeCertificate(hosts, day);
  made.set(key, certificate);
  return certificate;
}

async function makeCertificate(hosts: readonly string[], day: Date): Promise<Certificate> {
  const pair = await promisify(generateKeyPair)("rsa", {
    modulusLength: 2048,
    publicKeyEncoding: { type: "spki", format: "pem" },
    privateKeyEncoding: { type: "pkcs8", format: "pem" },
  });
  const sign = (subject: Subject) => toPem(subject, pair, day);
  const issuer = "Bridle rehearsal";
  return {
    authority: sign({ name: issuer, issuer, serial: "01", extensions: authorityExtensions }),
    certificate: sign({ name: hosts[0] ?? "", issuer, serial: "02", extensions: hostExtensions(hosts) }),
    key: pair.privateKey,
  };
}

interface Subject {
  readonly name: string;
  readonly issuer: string;
  readonly serial: string;
  readonly extensions: object[];
}

function toPem(subject: Subject, pair: { publicKey: string; privateKey: string }, day: Date): string {
  const certificate = forge.pki.createCertificate();
  certificate.publicKey = forge.pki.publicKeyFromPem(pair.publicKey);
  certificate.serialNumber = subject.serial;
  certificate.validity.notBefore = new Date(day.getTime() - dayInMilliseconds);
  certificate.validity.notAfter = new Date(day.getTime() + 2 * dayInMilliseconds);
  certificate.setSubject([{ name: "commonName", value: subject.name }]);
  certificate.setIssuer([{ name: "commonName", value: subject.issuer }]);
  certificate.setExtensions(subject.extensions);
  certificate.sign(forge.pki.privateKeyFromPem(pair.privateKey), forge.md.sha256.create());
  return forge.pki.certificateToPem(certificate);
}

const authorityExtensions = [
  { name: "basicConstraints", cA: true, critical: true },
  { name: "keyUsage", keyCertSign: true, cRLSign: true, critical: true },
];

function hostExtensions(hosts: readonly string[]): object[] {
  const dnsName = 2;
  return [
    { name: "basicConstraints", cA: false },
    { name: "extKeyUsage", serverAuth: true },
    { name: "subjectAltName", altNames: hosts.map((value) => ({ type: dnsName, value })) },
  ];
}
