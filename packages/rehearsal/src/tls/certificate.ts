import { generateKeyPair } from "node:crypto";
import { promisify } from "node:util";
import forge from "node-forge";

/** PEM texts. */
export interface Certificate {
  /** The certificate authority that a client must trust. */
  readonly authority: string;
  readonly certificate: string;
  readonly key: string;
}

const dayInMilliseconds = 24 * 60 * 60 * 1000;

/**
 * Creates a certificate for a host and the authority that signs it, both valid for a day before and after `now`. They share
 * one key, because it protects nothing.
 */
export async function makeCertificate(host: string, now: Date): Promise<Certificate> {
  const pair = await promisify(generateKeyPair)("rsa", {
    modulusLength: 2048,
    publicKeyEncoding: { type: "spki", format: "pem" },
    privateKeyEncoding: { type: "pkcs8", format: "pem" },
  });
  const sign = (subject: Subject) => toPem(subject, pair, now);
  const issuer = "Bridle rehearsal";
  return {
    authority: sign({ name: issuer, issuer, serial: "01", extensions: authorityExtensions }),
    certificate: sign({ name: host, issuer, serial: "02", extensions: hostExtensions(host) }),
    key: pair.privateKey,
  };
}

interface Subject {
  readonly name: string;
  readonly issuer: string;
  readonly serial: string;
  readonly extensions: object[];
}

function toPem(subject: Subject, pair: { publicKey: string; privateKey: string }, now: Date): string {
  const certificate = forge.pki.createCertificate();
  certificate.publicKey = forge.pki.publicKeyFromPem(pair.publicKey);
  certificate.serialNumber = subject.serial;
  certificate.validity.notBefore = new Date(now.getTime() - dayInMilliseconds);
  certificate.validity.notAfter = new Date(now.getTime() + dayInMilliseconds);
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

function hostExtensions(host: string): object[] {
  const dnsName = 2;
  return [
    { name: "basicConstraints", cA: false },
    { name: "extKeyUsage", serverAuth: true },
    { name: "subjectAltName", altNames: [{ type: dnsName, value: host }] },
  ];
}
