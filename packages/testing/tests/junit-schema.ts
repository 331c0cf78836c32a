/**
 * The JUnit XML dialect that Jenkins reads, as documented by its xUnit plugin in junit-10.xsd: the elements and attributes of a report,
 * which of them are required, and their positions. Written for these tests.
 */
const outcome = ["failure", "error", "skipped"].map(
  (name) => `<xs:element name="${name}"><xs:complexType mixed="true">
    <xs:attribute name="type" type="xs:string"/><xs:attribute name="message" type="xs:string"/>
  </xs:complexType></xs:element>`,
);

const optional = (names: readonly string[]) =>
  names.map((name) => `<xs:attribute name="${name}" type="xs:string"/>`).join("");
const required = (names: readonly string[]) =>
  names.map((name) => `<xs:attribute name="${name}" type="xs:string" use="required"/>`).join("");
const anyOf = (names: readonly string[]) =>
  `<xs:choice minOccurs="0" maxOccurs="unbounded">${names.map((name) => `<xs:element ref="${name}"/>`).join("")}</xs:choice>`;

export const junitSchema = `<?xml version="1.0"?>
<xs:schema xmlns:xs="http://www.w3.org/2001/XMLSchema">
  <xs:simpleType name="seconds"><xs:restriction base="xs:string"><xs:pattern value="[0-9]+(\\.[0-9]+)?"/></xs:restriction></xs:simpleType>
  ${outcome.join("\n  ")}
  <xs:element name="system-out" type="xs:string"/>
  <xs:element name="system-err" type="xs:string"/>
  <xs:element name="property"><xs:complexType>${required(["name", "value"])}</xs:complexType></xs:element>
  <xs:element name="properties"><xs:complexType>
    <xs:sequence><xs:element ref="property" minOccurs="0" maxOccurs="unbounded"/></xs:sequence>
  </xs:complexType></xs:element>
  <xs:element name="testcase"><xs:complexType>
    ${anyOf(["skipped", "error", "failure", "system-out", "system-err"])}
    ${required(["name"])}${optional(["time", "classname", "group"])}
  </xs:complexType></xs:element>
  <xs:element name="testsuite"><xs:complexType>
    ${anyOf(["testsuite", "properties", "testcase", "system-out", "system-err"])}
    ${required(["name", "tests", "failures", "errors"])}<xs:attribute name="time" type="seconds"/>
    ${optional(["skipped", "timestamp", "hostname", "id", "package", "group", "file", "log", "url"])}
  </xs:complexType></xs:element>
  <xs:element name="testsuites"><xs:complexType>
    <xs:sequence><xs:element ref="testsuite" minOccurs="0" maxOccurs="unbounded"/></xs:sequence>
    ${optional(["name", "tests", "failures", "errors"])}<xs:attribute name="time" type="seconds"/>
  </xs:complexType></xs:element>
</xs:schema>
`;
