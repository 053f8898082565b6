// swift-tools-version: 6.2
import PackageDescription

let package = Package(
    name: "linkedin-signin",
    products: [
        .executable(name: "linkedin-signin", targets: ["linkedin-signin"]),
        .executable(name: "linkedin-simulator", targets: ["linkedin-simulator"]),
    ],
    dependencies: [
        .package(url: "https://github.com/apple/swift-argument-parser", from: "1.8.2"),
        .package(url: "https://github.com/apple/swift-crypto", from: "4.5.2"),
        .package(url: "https://github.com/swhitty/FlyingFox", from: "0.27.1"),
    ],
    targets: [
        // Each C library is visible to one Swift target only.
        .systemLibrary(name: "CFCGI"),
        .systemLibrary(name: "CCurl"),
        .systemLibrary(name: "CPostgreSQL"),
        // Parts of the C library that Swift's Glibc module leaves out.
        .systemLibrary(name: "CSystem"),

        .target(name: "POSIX", dependencies: ["CSystem"]),
        .target(name: "Encoding"),
        .target(name: "Metrics"),
        .target(name: "HTTP", dependencies: ["Encoding"]),
        .target(name: "FastCGI", dependencies: ["CFCGI", "CSystem", "Encoding", "HTTP", "Metrics", "POSIX"]),
        .target(name: "HTTPClient", dependencies: ["CCurl", "Encoding", "HTTP", "Metrics", "POSIX"]),
        .target(
            name: "OpenID",
            dependencies: [
                "Encoding", "HTTP",
                .product(name: "Crypto", package: "swift-crypto"),
                .product(name: "CryptoExtras", package: "swift-crypto"),
            ]
        ),
        .target(
            name: "Sessions",
            dependencies: ["Encoding", "Metrics", "POSIX", .product(name: "Crypto", package: "swift-crypto")]
        ),
        .target(
            name: "PostgreSQLStore",
            dependencies: [
                "CPostgreSQL", "CSystem", "Encoding", "POSIX", "Sessions",
                .product(name: "Crypto", package: "swift-crypto"),
            ]
        ),
        .target(name: "Templates"),
        .target(name: "EventLog", dependencies: ["HTTP", "Sessions"]),
        .target(name: "Provider", dependencies: ["EventLog", "HTTP", "OpenID", "Sessions"]),
        .target(
            name: "Settings",
            dependencies: ["Encoding", "EventLog", "HTTP", "OpenID", "POSIX", "Provider", "Sessions"]
        ),
        .target(
            name: "Pages",
            dependencies: [
                "Encoding", "HTTP", "Sessions", "Settings", "Templates",
                .product(name: "Crypto", package: "swift-crypto"),
            ]
        ),
        .target(name: "Guard", dependencies: ["Encoding", "EventLog", "HTTP", "POSIX", "Sessions"]),
        .target(
            name: "WebServerConfiguration",
            dependencies: ["Encoding", "EventLog", "Guard", "HTTP", "POSIX", "Provider", "Sessions", "Settings"]
        ),
        .target(
            name: "SignIn",
            dependencies: [
                "Encoding", "EventLog", "Guard", "HTTP", "OpenID", "Pages", "Provider", "Sessions", "Settings",
                .product(name: "Crypto", package: "swift-crypto"),
            ]
        ),
        .target(
            name: "Diagnosis",
            dependencies: ["Encoding", "FastCGI", "HTTP", "OpenID", "POSIX", "Provider", "Settings"]
        ),
        .executableTarget(
            name: "linkedin-signin",
            dependencies: [
                "Diagnosis", "Encoding", "EventLog", "FastCGI", "Guard", "HTTP", "HTTPClient", "Metrics", "OpenID",
                "Pages", "POSIX", "PostgreSQLStore", "Provider", "Sessions", "Settings", "SignIn",
                "WebServerConfiguration",
                .product(name: "ArgumentParser", package: "swift-argument-parser"),
            ],
            // The static Swift library exports every public symbol. Nothing is loaded that could use one, and the linker
            // removes only unused code that is not exported. The table of addresses that the loader completes is a twentieth of
            // the program unless it is packed, which needs LLVM's linker, and glibc 2.36 or later at the start.
            linkerSettings: [
                .unsafeFlags(
                    [
                        "-use-ld=lld", "-Xlinker", "--no-export-dynamic", "-Xlinker", "-z", "-Xlinker",
                        "pack-relative-relocs",
                    ],
                    .when(platforms: [.linux], configuration: .release)
                )
            ]
        ),
        .executableTarget(
            name: "linkedin-simulator",
            dependencies: [
                .product(name: "ArgumentParser", package: "swift-argument-parser"),
                .product(name: "Crypto", package: "swift-crypto"),
                .product(name: "CryptoExtras", package: "swift-crypto"),
                .product(name: "FlyingFox", package: "FlyingFox"),
                .product(name: "FlyingSocks", package: "FlyingFox"),
            ]
        ),

        // Not a product: fills a store with sessions for Benchmarks/run.
        .executableTarget(
            name: "session-seeder",
            dependencies: ["Sessions", .product(name: "ArgumentParser", package: "swift-argument-parser")],
            path: "Benchmarks/SessionSeeder"
        ),

        .target(name: "TestSupport", dependencies: ["EventLog", "HTTP", "Sessions"], path: "Tests/TestSupport"),
        .testTarget(name: "MetricsTests", dependencies: ["Metrics"]),
        .testTarget(name: "HTTPTests", dependencies: ["HTTP", "TestSupport"]),
        .testTarget(name: "FastCGITests", dependencies: ["FastCGI", "HTTP", "POSIX", "TestSupport"]),
        .testTarget(
            name: "HTTPClientTests",
            dependencies: ["HTTPClient", "HTTP", "TestSupport"],
            exclude: ["Fixtures"]
        ),
        .testTarget(
            name: "OpenIDTests",
            dependencies: [
                "OpenID", "HTTP", "Provider", "TestSupport",
                .product(name: "CryptoExtras", package: "swift-crypto"),
            ],
            exclude: ["Fixtures"]
        ),
        .testTarget(
            name: "SessionsTests",
            dependencies: [
                "Encoding", "Metrics", "Sessions", "TestSupport", "store-exerciser",
                .product(name: "Crypto", package: "swift-crypto"),
            ]
        ),
        .testTarget(
            name: "StoreTests",
            dependencies: ["PostgreSQLStore", "Sessions", "TestSupport"]
        ),
        // A FastCGI server that fails on request, for tests of the web servers.
        .executableTarget(
            name: "failing-responder",
            dependencies: ["FastCGI", "HTTP"],
            path: "Tests/FailingResponder"
        ),
        // A store in its own process, which tests kill, run on a full disk and run twice at once.
        .executableTarget(
            name: "store-exerciser",
            dependencies: ["Encoding", "Sessions", "TestSupport"],
            path: "Tests/StoreExerciser"
        ),
        .testTarget(
            name: "DiagnosisTests",
            dependencies: ["Diagnosis", "Encoding", "FastCGI", "HTTP", "OpenID", "Settings", "TestSupport"]
        ),
        .testTarget(name: "POSIXTests", dependencies: ["POSIX"]),
        .testTarget(
            name: "ProviderTests",
            dependencies: ["Provider", "EventLog", "HTTP", "OpenID", "Sessions", "TestSupport"]
        ),
        .testTarget(name: "TemplatesTests", dependencies: ["Templates"]),
        .testTarget(
            name: "SignInTests",
            dependencies: [
                "SignIn", "EventLog", "Guard", "HTTP", "OpenID", "Pages", "Provider", "Sessions", "Settings",
                "TestSupport",
                .product(name: "Crypto", package: "swift-crypto"),
                .product(name: "CryptoExtras", package: "swift-crypto"),
            ]
        ),
        .testTarget(name: "EventLogTests", dependencies: ["EventLog", "HTTP", "Sessions", "TestSupport"]),
        .testTarget(
            name: "GuardTests",
            dependencies: ["Guard", "EventLog", "HTTP", "OpenID", "Provider", "Sessions", "TestSupport"]
        ),
        .testTarget(
            name: "PagesTests",
            dependencies: [
                "Pages", "HTTP", "Sessions", "Settings", "Templates", "TestSupport",
                .product(name: "Crypto", package: "swift-crypto"),
            ]
        ),
        .testTarget(
            name: "SettingsTests",
            dependencies: [
                "Settings", "Encoding", "EventLog", "HTTP", "OpenID", "Provider", "TestSupport",
                .product(name: "CryptoExtras", package: "swift-crypto"),
            ]
        ),
        .testTarget(
            name: "WebServerConfigurationTests",
            dependencies: [
                "WebServerConfiguration", "Guard", "HTTP", "Provider", "Sessions", "Settings", "TestSupport",
            ]
        ),
    ]
)

// Tests/Fuzz/run and `deploy/test threads` name a sanitizer. Only the targets of this package are built with it, so that both
// use one build of the dependencies.
let sanitizer = Context.environment["SANITIZER"]
let sanitized: [SwiftSetting] =
    switch sanitizer {
    case "thread": [.unsafeFlags(["-sanitize=thread"])]
    case "address":
        [.unsafeFlags(["-sanitize=address", "-sanitize-coverage=edge,inline-8bit-counters,pc-table,trace-cmp"])]
    default: []
    }

// Only the address sanitizer comes with libFuzzer, which contains the main function.
if sanitizer == "address" {
    package.products.append(.executable(name: "Fuzz", targets: ["Fuzz"]))
    package.targets.append(
        .executableTarget(
            name: "Fuzz",
            dependencies: [
                "Encoding", "EventLog", "FastCGI", "Guard", "HTTP", "HTTPClient", "OpenID", "Pages", "Provider",
                "Sessions", "Settings", "SignIn", "Templates", "WebServerConfiguration",
                .product(name: "Crypto", package: "swift-crypto"),
            ],
            path: "Tests/Fuzz",
            exclude: ["Corpora", "run"],
            linkerSettings: [.unsafeFlags(["-sanitize=address,fuzzer"])]
        )
    )
}

// A check of a session executes no code of these targets, and `deploy/package` limits the size of the program.
let rarelyExecuted: Set = ["Diagnosis", "Settings", "WebServerConfiguration", "linkedin-signin"]
let small: SwiftSetting = .unsafeFlags(["-Osize"], .when(configuration: .release))

// A system library has no Swift settings; with them, the package manager fails without a message.
for target in package.targets where target.type != .system {
    target.swiftSettings =
        sanitized + (rarelyExecuted.contains(target.name) ? [small] : []) + [
            .swiftLanguageMode(.v6),
            .strictMemorySafety(),
            .treatAllWarnings(as: .error),
            .treatWarning("DeprecatedDeclaration", as: .warning),
            .enableUpcomingFeature("ExistentialAny"),
            .enableUpcomingFeature("ImmutableWeakCaptures"),
            .enableUpcomingFeature("InferIsolatedConformances"),
            .enableUpcomingFeature("InternalImportsByDefault"),
            .enableUpcomingFeature("MemberImportVisibility"),
            .enableUpcomingFeature("NonisolatedNonsendingByDefault"),
        ]
    if sanitizer == "thread" {
        target.linkerSettings = (target.linkerSettings ?? []) + [.unsafeFlags(["-sanitize=thread"])]
    }
}
